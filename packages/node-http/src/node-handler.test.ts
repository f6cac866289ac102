import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createGenerationService, type GenerationService, type Job } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { afterEach, expect, test } from 'vitest'
import { apiKeys, toNodeHandler, type MountOptions, type V1Settings } from '@genmount/node-http'

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowKite = { ...kite, delay_ms: 600_000 }
const key = 'Authorization: Bearer alice-key'
const json = 'Content-Type: application/json'
const cleanUps: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function setUp(options: MountOptions & V1Settings = {}, overrides: Partial<GenerationService> = {}) {
  const log = quietLog()
  const service = Object.assign(createGenerationService({ providers: [fakeProvider()], log }), overrides)
  const server = createServer(
    toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }), ...options }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(
    () => service.close(),
    () => closeServer(server),
  )
  const { port } = server.address() as AddressInfo
  return { log, service, server, port, origin: `http://127.0.0.1:${port}`, talk: () => openTalk(port) }
}

async function closeServer(server: Server) {
  server.close()
  server.closeAllConnections()
}

/** A connection to which a test can write any text. */
function openTalk(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  cleanUps.push(() => socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (data) => (received += data))
  socket.on('error', () => {})
  return {
    socket,
    send: (...lines: string[]) => void socket.write(lines.join('\r\n')),
    async until(pattern: RegExp) {
      while (!pattern.test(received)) await once(socket, 'data')
      return received
    },
    async end() {
      if (!socket.closed) await once(socket, 'close')
      return received
    },
  }
}

const post = (
  origin: string,
  path: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer alice-key', 'content-type': 'application/json', ...headers },
    body,
  })

const jobWithFile = {
  id: 'gen_1',
  model: 'clock',
  shownInput: {},
  phase: 'completed',
  expiresAt: 9e12,
  outputs: [{ fileKey: 'k' }],
} as unknown as Job

test('a request of HTTP/1.0 without Host is answered with links to the address that the client has connected to', async () => {
  const { talk, origin } = await setUp()
  const { send, end } = talk()
  const body = JSON.stringify(slowKite)
  send('POST /v1/generate HTTP/1.0', key, json, `Content-Length: ${body.length}`, '', body)
  expect(await end()).toContain(`location: ${origin}/v1/jobs/`)
})

test('a client that sends its whole body before it reads still receives the refusal', async () => {
  const { talk } = await setUp({ maxBodyBytes: 1000 })
  for (const framing of ['Content-Length: 8000000', 'Transfer-Encoding: chunked']) {
    const { socket, send, end } = talk()
    socket.pause()
    send(
      'POST /v1/generate HTTP/1.1',
      'Host: a',
      key,
      json,
      framing,
      '',
      framing.startsWith('T') ? '7a1200\r\n' : '',
    )
    await new Promise((resolve) => socket.write(Buffer.alloc(8_000_000, ' '), resolve))
    socket.resume()
    expect(await end()).toMatch(/^HTTP\/1\.1 413 /)
  }
})

test('a client that breaks off its body leaves no error in the log, and the server goes on answering', async () => {
  const { talk, origin, log } = await setUp()
  const { socket, send } = talk()
  send(
    'POST /v1/generate HTTP/1.1',
    'Host: a',
    key,
    json,
    'Content-Length: 100',
    'Expect: 100-continue',
    '',
    '{"model"',
  )
  await once(socket, 'data')
  socket.destroy()
  expect((await post(origin, '/v1/generate', JSON.stringify(slowKite))).status).toBe(202)
  expect(log.errors).toEqual([])
})

test('a connection is kept for the next request when the whole body of a refused request has arrived', async () => {
  const { talk } = await setUp()
  const { send, until } = talk()
  send(
    'POST /v1/nothing HTTP/1.1',
    'Host: a',
    key,
    'Content-Length: 2',
    '',
    '{}GET /v1/jobs/x HTTP/1.1',
    'Host: a',
    key,
    '',
    '',
  )
  expect(await until(/job_not_found/)).toContain('route_not_found')
})

test('a client that leaves while it waits frees its waiter, and its job goes on', async () => {
  const left = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  const { talk, service } = await setUp(
    {},
    {
      waitFor: (id, owner, options) => {
        options?.onLeave?.(left.resolve)
        waiting.resolve()
        return left.promise.then(() => service.get(id, owner))
      },
    },
  )
  const { socket, send } = talk()
  const body = JSON.stringify(slowKite)
  send(
    'POST /v1/generate?wait=true HTTP/1.1',
    'Host: a',
    key,
    json,
    `Content-Length: ${body.length}`,
    '',
    body,
  )
  await waiting.promise
  socket.destroy()
  await left.promise
})

test('a client that waits for its job is not counted as one that has left', async () => {
  let hasLeft = false
  const { origin, service } = await setUp(
    {},
    {
      waitFor: (id, owner, options) => {
        options?.onLeave?.(() => (hasLeft = true))
        return service.get(id, owner)
      },
    },
  )
  const reply = await post(origin, '/v1/generate?wait=true', JSON.stringify(slowKite), {
    connection: 'close',
  })
  await reply.text()
  expect(reply.status).toBe(202)
  expect(hasLeft).toBe(false)
})

test('after the server has closed, each answer closes its connection, so that the process can end', async () => {
  const waiting = Promise.withResolvers<string>()
  const answered = Promise.withResolvers<void>()
  const { talk, server, service } = await setUp(
    {},
    {
      waitFor: (id, owner) => {
        waiting.resolve(id)
        return answered.promise.then(() => service.get(id, owner))
      },
    },
  )
  const { send, until } = talk()
  const body = JSON.stringify(slowKite)
  const wait = 'POST /v1/generate?wait=true HTTP/1.1'
  send(wait, 'Host: a', key, json, `Content-Length: ${body.length}`, '', body)
  const id = await waiting.promise
  server.close()
  answered.resolve()
  expect((await until(new RegExp(id))).toLowerCase()).toMatch(/^http\/1\.1 202 [^]*\r\nconnection: close\r\n/)
})

test('a file is read from its store no faster than the client reads, and released when the client leaves', async () => {
  const chunk = new Uint8Array(65_536)
  const released = Promise.withResolvers<void>()
  let pulled = 0
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      pulled++
      controller.enqueue(chunk)
    },
    cancel: () => released.resolve(),
  })
  const { talk, origin, service } = await setUp({}, { get: async () => jobWithFile })
  service.files.open = async () => ({ size: 1e12, contentType: 'video/mp4', read: () => endless })
  const headers = { authorization: 'Bearer alice-key' }
  const { headers: redirect } = await fetch(`${origin}/v1/files/gen_1`, { headers, redirect: 'manual' })

  const { socket, send, until } = talk()
  send(`GET ${new URL(redirect.get('location') ?? '').pathname} HTTP/1.1`, 'Host: a', '', '')
  await until(/\r\n\r\n/)
  socket.pause()
  await standsStill(() => pulled)
  expect(pulled).toBeLessThan(1000)
  socket.destroy()
  await released.promise
})

test('when a file breaks off in its store, the connection is cut and the fault is logged', async () => {
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
    },
    pull: (controller) => controller.error(new Error('disk 7 is gone')),
  })
  const { origin, service, log } = await setUp({}, { get: async () => jobWithFile })
  service.files.open = async () => ({ size: 100, contentType: 'video/mp4', read: () => broken })
  const reading = fetch(`${origin}/v1/files/gen_1`, { headers: { authorization: 'Bearer alice-key' } })
  await expect(reading.then((reply) => reply.bytes())).rejects.toThrow()
  expect(String(log.lines)).toContain('disk 7 is gone')
})

/** Resolves when the number has not changed for a while. */
async function standsStill(count: () => number): Promise<void> {
  for (let before = -1; before !== count();) {
    before = count()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test('a wrong option throws a TypeError at construction', async () => {
  const { service } = await setUp()
  const authenticate = apiKeys({ alice: 'alice-key' })
  expect(() => toNodeHandler(service, { authenticate, mountPath: 'media' })).toThrow(
    /^toNodeHandler: mountPath/,
  )
  expect(() => toNodeHandler(service, { authenticate, bodyTimeoutMs: 0 })).toThrow(
    /^toNodeHandler: bodyTimeoutMs/,
  )
})

test('while the service closes, its server goes on answering, and each answer closes its connection', async () => {
  const { service, port, talk } = await setUp()
  const { job } = await service.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a kite', delay_ms: 600_000 },
  })
  const waiter = talk()
  const body = JSON.stringify(slowKite)
  const create = (path: string) => [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    key,
    json,
    `Content-Length: ${body.length}`,
    '',
    body,
  ]
  const get = [`GET /v1/jobs/${job.id} HTTP/1.1`, `Host: 127.0.0.1:${port}`, key, '', '']
  waiter.send(...create('/v1/generate?wait=true'))
  const others = [talk(), talk()] as const
  for (const { send, until } of others) {
    send(...get)
    expect((await until(/"object"/)).toLowerCase()).toContain('connection: keep-alive')
  }
  await service.close()
  const late = talk()
  others[0].send(...get)
  others[1].send(...create('/v1/generate'))
  late.send(...create('/v1/generate'))

  const isLast = /\r\nconnection: close\r\n/i
  expect(await waiter.end()).toMatch(/^HTTP\/1.1 202 /)
  for (const { end } of [waiter, ...others, late]) expect(await end()).toMatch(isLast)
  expect(await others[0].end()).toMatch(/"status":"processing"[^]*HTTP\/1.1 200 [^]*"status":"processing"/)
  for (const { end } of [others[1], late])
    expect(await end()).toMatch(/HTTP\/1.1 503 [^]*retry-after: 3\r\n[^]*"code":"shutting_down"/)
})
