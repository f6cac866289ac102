import { expect, test } from 'vitest'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { fakeProvider } from '@genmount/testing'
import { memoryInUse } from '../memory/memory-in-use.ts'
import { shownJob, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess } from './servers/start-on-node.ts'

const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

function film(handle: (request: Request) => Promise<Response>, key: string = keys.alice, more: object = {}) {
  const leaving = new AbortController()
  const params = { name: 'generate_video', arguments: { ...slowFilm, ...more } }
  const request = new Request(modernRequest('tools/call', params, { authorization: `Bearer ${key}` }), {
    signal: leaving.signal,
  })
  const result = handle(request).then(
    async (response) => ((await response.json()) as { result: CallToolResult }).result,
  )
  result.catch(() => {})
  return { result, leave: () => leaving.abort() }
}

test('of 500 calls that wait for their jobs, 200 wait and the others say at once that their jobs go on', async () => {
  const { handle, service } = inProcess()
  service.start()
  const answered: CallToolResult[] = []
  const calls = Array.from({ length: 500 }, () => film(handle))
  for (const { result } of calls) result.then((each) => answered.push(each)).catch(() => {})
  await expect.poll(() => answered.length, { timeout: 30_000 }).toBe(300)
  await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(200)
  for (const result of answered) {
    expect(shownJob(result).status).toBe('processing')
    expect(textOf(result)).toMatch(/has not waited until the end, because too many calls are waiting/)
  }
  // Another owner needs a place.
  const bob = film(handle, keys.bob)
  await expect.poll(() => answered.length, { timeout: 30_000 }).toBe(301)
  expect((await service.health()).waiters).toBe(200)
  for (const { leave } of [...calls, bob]) leave()
  await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(0)
  const next = film(handle)
  await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(1)
  next.leave()
})

test('a call that waits holds less than 100 kB, however many models the service has', async () => {
  const models = fakeProvider().models
  const providers = Array.from({ length: 60 }, (_, index) => ({
    ...fakeProvider({ name: `fake-${index}` }),
    models: models.map((model) => ({ ...model, id: `${model.id}-${index}` })),
  }))
  const { handle, service } = inProcess({}, { providers })
  service.start()
  const calls: ReturnType<typeof film>[] = []
  const waiting = async (count: number) => {
    while (calls.length < count) calls.push(film(handle, keys.alice, { model: 'fake-video-0' }))
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(count)
    return memoryInUse().heapUsed
  }
  // The first calls have their code compiled.
  const before = await waiting(20)
  const after = await waiting(120)
  expect((after - before) / 100).toBeLessThan(100_000)
  for (const { leave } of calls) leave()
})
