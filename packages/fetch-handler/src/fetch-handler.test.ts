import { createGenerationService, type GenerationService } from '@genmount/core'
import {
  apiKeys,
  type FetchHandler,
  toFetchHandler,
  type MountOptions,
  type V1Settings,
} from '@genmount/fetch-handler'
import { fakeProvider, quietLog } from '@genmount/testing'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'

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

describe('in a Hono app', () => {
  const createdBy = async (app: Hono) => {
    const created = await app.request(post('http://app.test/media/v1/generate', JSON.stringify(slowKite)))
    const text = await created.text()
    return { status: created.status, location: created.headers.get('location'), text }
  }

  test.each<[string, (handle: FetchHandler) => Hono]>([
    ['app.all()', (handle) => new Hono().all('/media/v1/*', (context) => handle(context.req.raw))],
    [
      'app.mount() that leaves the path',
      (handle) => new Hono().mount('/media', handle, { replaceRequest: false }),
    ],
  ])('the jobs behind %s name the path at which they are', async (_how, appOf) => {
    const app = appOf(setUp({ mountPath: '/media' }))
    const { status, location } = await createdBy(app)
    expect([status, location]).toEqual([202, expect.stringMatching(/^http:\/\/app\.test\/media\/v1\/jobs\//)])
    expect((await app.request(get(location!))).status).toBe(200)
  })

  test('with app.mount(), which cuts the path, the 404 names the path that was left of it', async () => {
    const { status, text } = await createdBy(new Hono().mount('/media', setUp({ mountPath: '/media' })))
    expect(status).toBe(404)
    expect(text).toContain('There is nothing at /v1/generate. The interface is below /media/v1')
  })

  test('with app.mount() and baseUrl, the jobs name the path at which they are', async () => {
    const app = new Hono().mount('/media', setUp({ baseUrl: 'http://app.test/media' }))
    const { location } = await createdBy(app)
    expect(location).toMatch(/^http:\/\/app\.test\/media\/v1\/jobs\//)
    expect((await app.request(get(location!))).status).toBe(200)
  })
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
