import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jobFollower } from './job-follower.ts'

/** A server that does this with each request, and keeps the connections that are open. */
async function serving(answer: (response: ServerResponse) => void) {
  const open = new Set<ServerResponse>()
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    open.add(response)
    response.once('close', () => open.delete(response))
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, open, requests: () => requests }
}

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n')

test.each<[string, (response: ServerResponse) => void]>([
  ['never answers', () => {}],
  ['begins a stream and says nothing more', begin],
])('a server that %s loses the connection, and another is opened a second later', async (_what, answer) => {
  const { baseUrl, open, requests } = await serving(answer)
  const end = jobFollower({ baseUrl, headers: {}, silenceMs: 200 })('/events', () => {})
  await vi.waitFor(() => expect(requests()).toBe(2), { timeout: 20_000 })
  expect(open.size).toBe(1)
  end()
  end()
  await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 20_000 })
})

test('a stream that goes on bringing comments stays open', async () => {
  const { baseUrl, requests } = await serving((response) => {
    begin(response)
    const timer = setInterval(() => response.write(':\n'), 50)
    response.once('close', () => clearInterval(timer))
  })
  onTestFinished(jobFollower({ baseUrl, headers: {}, silenceMs: 1000 })('/events', () => {}))
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(requests()).toBe(1)
})

test('at most 16 jobs have a stream at once', async () => {
  const { baseUrl, open, requests } = await serving(begin)
  const follow = jobFollower({ baseUrl, headers: {} })
  for (let job = 0; job < 20; job++) onTestFinished(follow(`/${job}`, () => {}))
  await vi.waitFor(() => expect(open.size).toBe(16), { timeout: 20_000 })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(requests()).toBe(16)
})

test('nothing is passed on after the end of the watch', async () => {
  const responses: ServerResponse[] = []
  const { baseUrl } = await serving((response) => {
    begin(response)
    responses.push(response)
  })
  const news: unknown[] = []
  const send = (value: number) => responses[0]?.write(`event: progress\ndata: {"value":${value}}\n\n`)
  const end = jobFollower({ baseUrl, headers: {} })('/events', ({ progress }) => {
    news.push(progress)
    end()
  })
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  send(0.1)
  send(0.2)
  await vi.waitFor(() => expect(news).toEqual([0.1]), { timeout: 20_000 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(news).toEqual([0.1])
})
