import { createGenerationService, type GenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler, type MountedV1Options } from '@genmount/fetch-handler'
import { fakeProvider } from '@genmount/testing'
import { afterEach, expect, test } from 'vitest'

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowKite = { ...kite, delay_ms: 600_000 }
const options: MountedV1Options = { authenticate: apiKeys({ alice: 'alice-key' }) }
const open: GenerationService[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()))
})

function setUp(overrides: Partial<MountedV1Options> = {}, serviceOverrides: Partial<GenerationService> = {}) {
  const service = createGenerationService({ providers: [fakeProvider()], log: { warn() {}, error() {} } })
  open.push(service)
  return toFetchHandler({ ...service, ...serviceOverrides }, { ...options, ...overrides })
}

function post(url: string, body: BodyInit, init: RequestInit = {}) {
  const headers = { authorization: 'Bearer alice-key', 'content-type': 'application/json', ...init.headers }
  return new Request(url, { method: 'POST', body, ...init, headers })
}

const get = (url: string) => new Request(url, { headers: { authorization: 'Bearer alice-key' } })

test('a job is made, looked at and fetched, below a mount path', async () => {
  const handle = setUp({ mountPath: '/media' })
  const created = await handle(post('https://app.test/media/v1/generate?wait=true', JSON.stringify(kite)))
  const job = (await created.json()) as { id: string; urls: { get: string }; data: [{ url: string }] }
  expect(created.status).toBe(200)
  expect(job.urls.get).toBe(`https://app.test/media/v1/jobs/${job.id}`)
  expect(await (await handle(get(job.urls.get))).json()).toEqual(job)

  const redirect = await handle(get(job.data[0].url))
  expect(redirect.status).toBe(302)
  const file = await handle(new Request(redirect.headers.get('location') ?? ''))
  expect(file.headers.get('content-type')).toBe('image/png')
  expect((await file.bytes()).length).toBe(Number(file.headers.get('content-length')))
})

test('paths outside of the mount path are 404', async () => {
  const handle = setUp({ mountPath: '/media' })
  for (const path of ['/', '/v1/jobs/x', '/media', '/mediator/v1/jobs/x', '/media/v1/../x'])
    expect((await handle(get(`https://app.test${path}`))).status, path).toBe(404)
})

test('the Host header names the host, not the URL of the request', async () => {
  const handle = setUp()
  const request = post('http://evil.example/v1/generate', JSON.stringify(slowKite), {
    headers: { host: 'media.test' },
  })
  expect((await handle(request)).headers.get('location')).toMatch(/^http:\/\/media\.test\/v1\/jobs\//)
})

test('a body over the limit is refused without being read to its end, and its source is released', async () => {
  let pulled = 0
  let isReleased = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++
      controller.enqueue(new Uint8Array(1000).fill(0x20))
    },
    cancel: () => void (isReleased = true),
  })
  const handle = setUp({ maxBodyBytes: 5000 })
  const reply = await handle(post('http://app.test/v1/generate', endless, { duplex: 'half' } as RequestInit))
  expect(reply.status).toBe(413)
  expect(pulled).toBeLessThan(20)
  expect(isReleased).toBe(true)
})

test('a body that does not come in time is 408', async () => {
  const handle = setUp({ bodyTimeoutMs: 20 })
  const never = new ReadableStream<Uint8Array>()
  expect(
    (await handle(post('http://app.test/v1/generate', never, { duplex: 'half' } as RequestInit))).status,
  ).toBe(408)
})

test('no body is 400', async () => {
  const request = post('http://app.test/v1/generate', '')
  expect(await (await setUp()(request)).json()).toMatchObject({ error: { code: 'invalid_json' } })
})

test('a client that leaves while it waits frees its waiter', async () => {
  const waiting = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const handle = setUp(
    {},
    {
      waitFor: (_id, _owner, options) => {
        options?.onLeave?.(left.resolve)
        waiting.resolve()
        return new Promise(() => {})
      },
    },
  )
  const leaving = new AbortController()
  const body = JSON.stringify(slowKite)
  void handle(post('http://app.test/v1/generate?wait=true', body, { signal: leaving.signal }))
  await waiting.promise
  leaving.abort()
  await left.promise
})

test('the signal of a request that does not wait is not touched', async () => {
  const request = get('http://app.test/v1/jobs/x')
  Object.defineProperty(request, 'signal', {
    get: () => {
      throw new Error('touched')
    },
  })
  expect((await setUp()(request)).status).toBe(404)
})

test('HEAD and OPTIONS are answered without a body', async () => {
  const handle = setUp()
  const headers = { authorization: 'Bearer alice-key' }
  const head = await handle(new Request('http://app.test/v1/jobs/x', { method: 'HEAD', headers }))
  expect([head.status, await head.text()]).toEqual([404, ''])
  const choices = await handle(new Request('http://app.test/v1/generate', { method: 'OPTIONS', headers }))
  expect([choices.status, choices.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
})

test('what a host passes beside the request does no harm', async () => {
  const handle = setUp()
  expect((await handle(get('http://app.test/v1/jobs/x'), { env: 1 }, { waitUntil() {} })).status).toBe(404)
})

test('a body that the app has read before is told to the app, not to its client', async () => {
  const request = post('http://app.test/v1/generate', JSON.stringify(kite))
  await request.text()
  expect((await setUp()(request)).status).toBe(500)
})
