import { callbacks } from '@genmount/core/callbacks'
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  type Backend,
  type CallbackRequest,
  createGenerationService,
  GenerationError,
  type GenerationService,
  memoryBackend,
  type Provider,
} from '@genmount/core'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const options = { authenticate: apiKeys({ alice: 'alice-key' }) }

/** A service whose vendor has accepted one job, and the callback that the vendor would send about that job. */
async function setUp(changes: Partial<Provider> = {}, backend: Backend = memoryBackend()) {
  const fake = fakeProvider({ behave: [{ delayMs: 600_000, pollAfterMs: 500_000 }], sendCallback: () => {} })
  let callbackUrl = ''
  let polls = 0
  const provider: Provider = {
    ...fake,
    submit: (task, call) => ((callbackUrl = call.callbackUrl ?? ''), fake.submit(task, call)),
    poll: (task, call) => (polls++, fake.poll(task, call)),
    ...changes,
  }
  const log = quietLog()
  const service = createGenerationService({
    providers: [provider],
    backend,
    log,
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
  })
  onTestFinished(async () => void (await service.close()))
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await expect.poll(() => fake.ledger.length).toBe(1)
  await expect.poll(async () => (await service.get(job.id, 'alice')).phase).toBe('running')
  const path = new URL(callbackUrl).pathname
  return { service, job, path, callback: fake.callbackFor(job.id), polls: () => polls, logged: log.lines }
}

type Send = (path: string, callback: CallbackRequest) => Promise<Response>

const post = ({ headers, body }: CallbackRequest) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: body as Uint8Array<ArrayBuffer>,
})

const origins: Record<string, (service: GenerationService) => Promise<string>> = {
  'node:http': (service) => served(toNodeHandler(service, options)),
  Express: (service) => served(express().use(toExpressMiddleware(service, options)).use(express.json())),
}

/** Sends the headers of a callback of 1 MB and nothing of its body. @returns the answer */
async function answerToHead(origin: string, path: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString()
}

const hosts: Record<string, (service: GenerationService) => Promise<Send>> = {
  'node:http': async (service) => {
    const origin = await origins['node:http']!(service)
    return (path, callback) => fetch(origin + path, post(callback))
  },
  Express: async (service) => {
    const origin = await origins['Express']!(service)
    return (path, callback) => fetch(origin + path, post(callback))
  },
  'Express behind express.raw()': async (service) => {
    const app = express()
      .use(express.raw({ type: '*/*' }))
      .use(toExpressMiddleware(service, options))
    const origin = await served(app)
    return (path, callback) => fetch(origin + path, post(callback))
  },
  fetch: async (service) => {
    const handle = toFetchHandler(service, options)
    return (path, callback) => handle(new Request(`http://app.example${path}`, post(callback)))
  },
}

test.each(Object.keys(hosts))(
  'a genuine callback on %s needs no API key, makes the service poll its job, and is answered at once',
  async (host) => {
    let isHeld = false
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const { service, path, callback, polls } = await setUp({
      poll: async ({ handle }) => {
        isHeld = true
        await end
        return { state: 'running', handle }
      },
    })
    onTestFinished(() => resolve())
    const send = await hosts[host]!(service)
    const sentAt = performance.now()
    const reply = await send(path, callback)
    expect(performance.now() - sentAt).toBeLessThan(5000)
    expect([reply.status, await reply.text()]).toEqual([204, ''])
    await expect.poll(() => isHeld).toBe(true)
    expect(polls()).toBe(0)
  },
)

test.each(Object.keys(hosts))(
  'a forged callback on %s changes no job, and gets the same 404 for each kind of forgery',
  async (host) => {
    const { service, job, path, callback, polls } = await setUp()
    const send = await hosts[host]!(service)
    const before = await service.get(job.id, 'alice')
    const token = path.split('/').at(-1) ?? ''
    const forged = { ...callback, body: new TextEncoder().encode('{"handle":"mine"}') }
    const replies = [
      await send(path, forged),
      await send(path, { ...callback, headers: {} }),
      await send(
        path.replace(
          token,
          token.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        ),
        callback,
      ),
      await send(path.replace(job.id, 'gen_0'), callback),
      await send(path.replace('/fake/', '/other/'), callback),
      await send(path.replace('/fake/', '/%E0%A4%A/'), callback),
    ]
    for (const reply of replies) {
      const { error } = (await reply.json()) as { error: { code: string; message: string } }
      expect([reply.status, error.code, error.message]).toEqual([
        404,
        'route_not_found',
        expect.stringMatching(/^There is nothing at this path\. /),
      ])
    }
    expect(await service.get(job.id, 'alice')).toEqual(before)
    expect(polls()).toBe(0)
  },
)

const ofServer = {
  type: 'server_error',
  param: null,
  request_id: expect.stringMatching(/^req_/),
}
const locked = new Error('database is locked')
const storeAway = new GenerationError('store_unavailable', 'The job store does not answer.', {
  cause: locked,
})
const closing = new GenerationError('shutting_down', 'The service is shutting down.')

test.each(
  Object.keys(hosts).flatMap((host) => [
    { host, fault: storeAway, status: 503, code: 'store_unavailable', retryAfter: '3' },
    { host, fault: closing, status: 503, code: 'shutting_down', retryAfter: '3' },
    { host, fault: new TypeError('secret detail'), status: 500, code: 'internal_error', retryAfter: null },
  ]),
)(
  'a callback that the service can not take on $host is answered with $status $code, so that the vendor repeats it',
  async ({ host, fault, status, code, retryAfter }) => {
    const { service, path, callback } = await setUp()
    const throwing: (typeof service.receiveCallback)[] = [
      () => Promise.reject(fault),
      () => {
        throw fault
      },
    ]
    for (const receiveCallback of throwing) {
      const send = await hosts[host]!({ ...service, receiveCallback })
      const reply = await send(path, callback)
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([status, retryAfter])
      const body = await reply.text()
      expect(JSON.parse(body)).toMatchObject({ error: { ...ofServer, code } })
      expect(body).not.toMatch(/secret detail|locked/)
    }
    expect((await (await hosts[host]!(service))(path, callback)).status).toBe(204)
  },
)

test('a callback is 204 only once the store has what it tells', async () => {
  const memory = memoryBackend()
  let isAway = false
  const replace: typeof memory.jobs.replace = async (...write) => {
    if (isAway) throw locked
    return memory.jobs.replace(...write)
  }
  const backend = { ...memory, jobs: { ...memory.jobs, replace } }
  const { service, path, callback, logged } = await setUp({}, backend)
  const send = await hosts['node:http']!(service)
  isAway = true
  const replies = await Promise.all(Array.from({ length: 50 }, () => send(path, callback)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]))
  expect(logged.filter((line) => line.includes('database is locked'))).toHaveLength(1)
  isAway = false
  expect((await send(path, callback)).status).toBe(204)
})

test.each(['node:http', 'Express'])(
  'a callback to a wrong path on %s is answered with 404 before its body is read',
  async (host) => {
    const { service, path } = await setUp()
    const origin = await origins[host]!(service)
    const [, , , provider, job, token = ''] = path.split('/')
    for (const wrong of [
      '/v1/callbacks/a/b/c',
      `/v1/callbacks/${provider}/${job}/${'0'.repeat(64)}`,
      `/v1/callbacks/${provider}/gen_0/${token}`,
      `/v1/callbacks/other/${job}/${token}`,
    ])
      expect(await answerToHead(origin, wrong)).toMatch(/^HTTP\/1\.1 404 /)
  },
)

test('the fetch handler reads no body of a callback to a wrong path', async () => {
  const { service } = await setUp()
  const handle = toFetchHandler(service, options)
  let pulls = 0
  const body = new ReadableStream<Uint8Array>(
    { pull: (controller) => void (pulls++, controller.enqueue(Buffer.from(' '))) },
    { highWaterMark: 0 },
  )
  const request = new Request('http://app.example/v1/callbacks/a/b/c', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  expect((await handle(request)).status).toBe(404)
  expect(pulls).toBe(0)
})

test('a callback is answered with 404 without a read of the store when no provider takes callbacks', async () => {
  const memory = memoryBackend()
  let asked = 0
  const get: typeof memory.jobs.get = (id) => (asked++, memory.jobs.get(id))
  const { readCallback: _, ...deaf } = fakeProvider({ behave: [{ delayMs: 600_000 }] })
  const backend = { ...memory, jobs: { ...memory.jobs, get } }
  const service = createGenerationService({
    providers: [deaf],
    backend,
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const path = `/v1/callbacks/fake/gen_0/${'0'.repeat(64)}`
  expect(await answerToHead(await origins['node:http']!(service), path)).toMatch(/^HTTP\/1\.1 404 /)
  expect(asked).toBe(0)
})

test('without the plugin callbacks, a callback is answered like any path that there is not', async () => {
  const { path, callback } = await setUp()
  const plain = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  onTestFinished(async () => void (await plain.close()))
  const handle = toFetchHandler(plain, options)
  const answer = (url: string) => handle(new Request(`http://app.example${url}`, post(callback)))
  expect((await answer(path)).status).toBe((await answer('/v1/no-such-route')).status)
})

test('a callback that is too large is answered with 413, and other methods than POST with 405', async () => {
  const { service, path } = await setUp()
  const handle = toFetchHandler(service, options)
  const large = new Request(`http://app.example${path}`, {
    method: 'POST',
    headers: { 'content-length': '5000000' },
    body: 'x',
  })
  expect((await handle(large)).status).toBe(413)
  const get = await handle(new Request(`http://app.example${path}`))
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})

test('the log says once a minute that express.json() in front of genmount breaks callbacks, and forged ones get 404', async () => {
  const { service, path, callback, logged } = await setUp()
  const origin = await served(express().use(express.json()).use(toExpressMiddleware(service, options)))
  const before = logged.length
  expect((await fetch(`${origin}/v1/callbacks/a/b/c`, post(callback))).status).toBe(404)
  expect(logged).toHaveLength(before)
  for (let i = 0; i < 3; i++) expect((await fetch(origin + path, post(callback))).status).toBe(415)
  const told = logged.slice(before)
  expect(told).toEqual([expect.stringContaining('Mount genmount before express.json()')])
})
