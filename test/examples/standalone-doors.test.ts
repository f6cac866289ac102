import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { servedHosted } from './hosted-server.ts'
import { headers as withDevKey, launched, listening } from './standalone-server.ts'

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

/** Sends a request with a Host header that `fetch` would not send. */
async function sentAs(
  host: string,
  url: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers: { ...headers, host } })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const piece of answer) text += piece
  return { status: answer.statusCode, text }
}

const job = JSON.stringify({ model: 'procedural-image', prompt: 'a', resolution: '480p' })
/** The server of the tests that change nothing in it. */
let shared: Awaited<ReturnType<typeof launched>>
beforeAll(async () => void (shared = await launched({})))
afterAll(async () => void (await shared.process.kill()))

const doors = [
  '/',
  '/?a',
  '/healthz',
  '/v1/models',
  '/v1/generate',
  '/openai/v1/models',
  '/mcp',
  '/elsewhere',
]

describe('while API_KEYS is not set, the standalone server', () => {
  test('answers a request for another host with 403 and says why, at every door, so that no web page reaches it by a name of its own', async () => {
    const { baseUrl, port } = shared
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '192.168.1.20',
      '[::2]',
      '127.0.0.1@evil.example',
    ])
      for (const door of doors) {
        const { status, text } = await sentAs(
          host,
          baseUrl + door,
          withDevKey,
          door === '/v1/generate' ? job : undefined,
        )
        expect([status, host, door]).toEqual([403, host, door])
        expect(text).toMatch(/API_KEYS .*BASE_URL/)
        expect(text).not.toContain('evil')
      }
    const { text } = await sentAs('localhost', `${baseUrl}/v1/jobs`, withDevKey)
    expect(JSON.parse(text).data).toEqual([])
  })

  test('answers requests for every name of the loopback interface', async () => {
    const { baseUrl, port } = shared
    for (const host of ['localhost', `LOCALHOST:${port}`, `127.0.0.1:${port}`, '127.1.2.3', `[::1]:${port}`])
      for (const door of ['/', '/healthz', '/v1/models'])
        expect([(await sentAs(host, baseUrl + door, withDevKey)).status, host, door]).toEqual([
          200,
          host,
          door,
        ])
  })

  test('answers requests for the host of BASE_URL', async () => {
    const port = await freePort()
    await listening({ PORT: String(port), BASE_URL: 'https://media.example.com/api' })
    const url = `http://127.0.0.1:${port}/v1/models`
    expect((await sentAs('media.example.com', url, withDevKey)).status).toBe(200)
    expect((await sentAs('example.com', url, withDevKey)).status).toBe(403)
  })
})

test("OpenAI's SDK gets a picture at /openai/v1 of the standalone server", async () => {
  const client = new OpenAI({ baseURL: `${shared.baseUrl}/openai/v1`, apiKey: 'dev-key', maxRetries: 0 })
  const order = { model: 'procedural-image', prompt: 'a kite', resolution: '480p' }
  const { data } = await client.images.generate(order)
  const picture = Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
  expect(picture.byteLength).toBeGreaterThan(1000)
  const { data: jobs } = await (await fetch(`${shared.baseUrl}/v1/jobs`, { headers: withDevKey })).json()
  expect(jobs).toMatchObject([{ model: 'procedural-image', status: 'completed' }])
})

test('the standalone server with API_KEYS answers requests for any host', async () => {
  const { baseUrl } = await listening({ API_KEYS: 'alice:s3cret' })
  const { status } = await sentAs('media.example.com', `${baseUrl}/v1/models`, {
    authorization: 'Bearer s3cret',
  })
  expect(status).toBe(200)
})

test('the standalone server with the key of a vendor and without API_KEYS makes a key at each start, prints it, and gives the page this key only by the link that it prints', async () => {
  const keys: string[] = []
  for (let starts = 0; starts < 2; starts++) {
    const { server, baseUrl } = await servedHosted('standalone-node', { FAKE_KEYS: 'FAL_KEY', API_KEYS: '' })
    const [, link = '', key = ''] = /Open (\S+\?key=(\S+)) in a browser/.exec(server.output) ?? []
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(link).toBe(`${baseUrl}/?key=${key}`)
    expect(server.output).toMatch(new RegExp(`^API_KEYS is not set.*${key}$`, 'm'))
    expect(server.output).toContain(`Bearer ${key}`)
    expect(server.output).not.toContain('dev-key')
    const models = (bearer: string) =>
      fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${bearer}` } })
    expect((await models(key)).status).toBe(200)
    expect((await models('dev-key')).status).toBe(401)
    expect(await (await fetch(link)).text()).toContain(key)
    for (const other of ['/', '/?key=', '/?key=dev-key', `/?key=${key.slice(0, -1)}`, `/?KEY=${key}`])
      expect(await (await fetch(baseUrl + other)).text()).not.toContain(key)
    keys.push(key)
  }
  expect(keys[0]).not.toBe(keys[1])
})

/** Sends a body without an end, for 4 s at most. @returns how many bytes the server took before it closed the connection */
async function bytesTaken(port: string, door: string, host: string): Promise<number> {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const send = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.resume().on('drain', send)
  socket.write(`POST ${door} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 9000000000\r\n\r\n`)
  send()
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
  const isCut = await Promise.race([closed, delay(4000, false)])
  const { bytesWritten } = socket
  socket.destroy()
  return isCut ? bytesWritten : Infinity
}

test.each(['/', '/?a', '/healthz'])(
  'the standalone server closes the connection of a client that sends a body without an end to %s',
  async (door) => {
    for (const host of ['localhost', 'evil.example'])
      expect(await bytesTaken(shared.port, door, host)).toBeLessThan(8e6)
  },
)

test('the standalone server closes a connection whose headers do not end within 10 s', async () => {
  const socket = connect(Number(shared.port), '127.0.0.1').on('error', () => {})
  const since = performance.now()
  socket.resume().write('GET / HTTP/1.1\r\nhost: localhost\r\n')
  await new Promise((resolve) => socket.once('close', resolve))
  expect(performance.now() - since).toBeLessThan(20_000)
})
