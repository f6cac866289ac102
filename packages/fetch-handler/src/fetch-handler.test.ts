import { createGenerationService, type GenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler, type MountOptions, type V1Settings } from '@genmount/fetch-handler'
import { fakeProvider, quietLog } from '@genmount/testing'
import { afterEach, expect, test } from 'vitest'

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowKite = { ...kite, delay_ms: 600_000 }
const options = { authenticate: apiKeys({ alice: 'alice-key' }) }
const open: GenerationService[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()))
})

function setUp(overrides: MountOptions & V1Settings = {}, serviceOverrides: Partial<GenerationService> = {}) {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  open.push(service)
  return toFetchHandler({ ...service, ...serviceOverrides }, { ...options, ...overrides })
}

function post(url: string, body: BodyInit, init: RequestInit = {}) {
  const headers = { authorization: 'Bearer alice-key', 'content-type': 'application/json', ...init.headers }
  return new Request(url, { method: 'POST', body, ...init, headers })
}

const get = (url: string) => new Request(url, { headers: { authorization: 'Bearer alice-key' } })

test('a request outside of the mount path gets 404', async () => {
  const handle = setUp({ mountPath: '/media' })
  for (const path of ['/', '/v1/jobs/x', '/media', '/mediator/v1/jobs/x', '/media/v1/../x'])
    expect((await handle(get(`https://app.test${path}`))).status, path).toBe(404)
})

test('the Host header, not the URL of the request, decides which host the links of a job name', async () => {
  const handle = setUp()
  const request = post('http://evil.example/v1/generate', JSON.stringify(slowKite), {
    headers: { host: 'media.test' },
  })
  expect((await handle(request)).headers.get('location')).toMatch(/^http:\/\/media\.test\/v1\/jobs\//)
})

test('a body over the limit is refused before its end is read, and its stream is released', async () => {
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

test('a client that leaves while it waits for its job frees its waiter', async () => {
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

test('a request that does not wait never has its abort signal read, which is slow on Deno', async () => {
  const request = get('http://app.test/v1/jobs/x')
  Object.defineProperty(request, 'signal', {
    get: () => {
      throw new Error('touched')
    },
  })
  expect((await setUp()(request)).status).toBe(404)
})

test('the fetch handler ignores further arguments that a host passes, such as env and ctx', async () => {
  const handle = setUp()
  expect((await handle(get('http://app.test/v1/jobs/x'), { env: 1 }, { waitUntil() {} })).status).toBe(404)
})

test('when the app has read the body of a create already, the log says so and the client gets a 500 without detail', async () => {
  const request = post('http://app.test/v1/generate', JSON.stringify(kite))
  await request.text()
  expect((await setUp()(request)).status).toBe(500)
})
