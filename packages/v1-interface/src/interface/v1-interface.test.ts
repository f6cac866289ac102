import { createGenerationService, GenerationError, memoryBackend } from '@genmount/core'
import { fakeProvider, manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { kite, options, setUpWith, slowKite, type Overrides } from '../test-kit/set-up.ts'
import { createV1Interface } from './v1-interface.ts'

const setUp = (overrides?: Overrides) => setUpWith(fakeProvider(), overrides)

test('every path under /v1 asks for a key before anything else', async () => {
  const { ask, bodyReads } = setUp()
  const lines = [
    'POST /m/v1/generate?wait=5',
    'GET /m/v1/jobs/x',
    'PUT /m/v1/files/x',
    'OPTIONS /m/v1/jobs/x',
    'GET /m/v1/x',
    'GET /m/v1',
  ]
  for (const line of lines) {
    const missing = await ask(line, kite, { authorization: '' })
    expect(missing, line).toMatchObject({ status: 401, json: { error: { code: 'missing_api_key' } } })
    expect(missing.headers['www-authenticate']).toBe('Bearer')
    const invalid = await ask(line, kite, { authorization: 'Bearer wrong' })
    expect(invalid, line).toMatchObject({ status: 401, json: { error: { code: 'invalid_api_key' } } })
    expect(invalid.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
  }
  expect(bodyReads()).toBe(0)
})

test('an authenticate that fails is a 500 without detail, and one that refuses is heard', async () => {
  const broken = setUp({ options: { authenticate: () => Promise.reject(new Error('db at 10.0.0.7')) } })
  const reply = await broken.ask('GET /m/v1/jobs/x')
  expect(reply).toMatchObject({
    status: 500,
    json: { error: { code: 'internal_error', type: 'server_error' } },
  })
  expect(reply.body).not.toContain('10.0.0.7')
  expect(String(broken.logged)).toContain('10.0.0.7')
  expect(String(broken.logged)).not.toContain('alice-key')

  const busy = setUp({
    options: {
      authenticate: () => {
        throw new GenerationError('rate_limit_exceeded', 'Slow down.')
      },
    },
  })
  const limited = await busy.ask('GET /m/v1/jobs/x')
  expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '3' } })
})

test('an unknown, a foreign and an impossible id look the same', async () => {
  const { ask } = setUp()
  const { json: job } = await ask('POST /m/v1/generate', kite)
  const bob = { authorization: 'Bearer bob-key' }
  for (const kind of ['jobs', 'files']) {
    const ids = ['gen_unknown', job.id, '%00', '%E0%A4%A', '..%2f', 'x'.repeat(65)]
    const replies = await Promise.all(ids.map((id) => ask(`GET /m/v1/${kind}/${id}`, undefined, bob)))
    const bodies = replies.map(({ body, headers }) => String(body).replace(headers['x-request-id'] ?? '', ''))
    expect(new Set(bodies).size).toBe(1)
    expect(replies[0]).toMatchObject({ status: 404, json: { error: { code: 'job_not_found', param: null } } })
  }
})

test('a job that is processing says when to look again, a finished one does not', async () => {
  const { ask } = setUp()
  const { json: slow } = await ask('POST /m/v1/generate', slowKite)
  expect(await ask(`GET /m/v1/jobs/${slow.id}`)).toMatchObject({
    status: 200,
    headers: { 'retry-after': '3' },
  })
  const { json: quick } = await ask('POST /m/v1/generate?wait=true', kite)
  expect((await ask(`GET /m/v1/jobs/${quick.id}`)).headers).not.toHaveProperty('retry-after')
})

test('HEAD is GET without its body, length included', async () => {
  const { ask } = setUp()
  const { json: job } = await ask('POST /m/v1/generate?wait=true', kite)
  const path = `/m/v1/jobs/${job.id}`
  const [get, head] = [await ask(`GET ${path}`), await ask(`HEAD ${path}`)]
  expect(head).toMatchObject({ status: 200, body: undefined })
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(String(get.body))))
})

test('other methods learn which ones there are', async () => {
  const { ask } = setUp()
  const paths = [
    ['/m/v1/generate', 'POST, OPTIONS'],
    ['/m/v1/jobs/x', 'GET, HEAD, OPTIONS'],
    ['/m/v1/files/x', 'GET, HEAD, OPTIONS'],
    ['/m/v1/outputs/x', 'GET, HEAD, OPTIONS'],
  ]
  for (const [path, allow] of paths) {
    expect(await ask(`OPTIONS ${path}`)).toMatchObject({ status: 204, body: undefined, headers: { allow } })
    for (const method of ['PUT', 'DELETE', path === '/m/v1/generate' ? 'HEAD' : 'POST'])
      expect(await ask(`${method} ${path}`), path).toMatchObject({ status: 405, headers: { allow } })
  }
})

test('a path that is not there is 404, and outside of /v1 nobody is asked for a key', async () => {
  const { ask } = setUp()
  for (const path of ['/m/v1', '/m/v1/', '/m/v1/jobs', '/m/v1/jobs/a/b', '/m/v1/jobs/a//', '/m/v1//jobs/a'])
    expect(await ask(`GET ${path}`), path).toMatchObject({
      status: 404,
      json: { error: { code: 'route_not_found' } },
    })
  const foreign = await ask('GET /elsewhere', undefined, { authorization: '' })
  expect(foreign).toMatchObject({ status: 404, json: { error: { code: 'route_not_found' } } })
  expect(foreign.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) })
})

test('a query that names one parameter many times holds nobody up, with or without a key', async () => {
  const { ask } = setUp()
  const begun = performance.now()
  const reply = await ask(`GET /m/v1/jobs/x?${'&a=1'.repeat(25_000)}`, undefined, { authorization: '' })
  expect(reply.status).toBe(401)
  expect((await ask(`GET /m/v1/files/x?${'&n=1'.repeat(25_000)}`)).json.error.param).toBe('n')
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('a refusal by the application is a 401 like our own', async () => {
  const authenticate = () => {
    throw new GenerationError('invalid_api_key', 'This key has been revoked.')
  }
  const reply = await setUp({ options: { authenticate } }).ask('GET /m/v1/jobs/x')
  expect(reply).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
})

test('a refusal with a code that does not exist is a 500, not silence', async () => {
  const get = () => Promise.reject(new GenerationError('teapot' as 'job_not_found', 'Short and stout.'))
  expect(await setUp({ service: { get } }).ask('GET /m/v1/jobs/x')).toMatchObject({ status: 500 })
})

test('an error tells no half of a character', async () => {
  const authenticate = () => {
    throw new GenerationError('rate_limit_exceeded', 'Slow down, \ud83d.', { param: 'a\ude00' })
  }
  const { body, json } = await setUp({ options: { authenticate } }).ask('GET /m/v1/jobs/x')
  expect(json.error).toMatchObject({ message: 'Slow down, \ufffd.', param: 'a\ufffd' })
  expect(body).not.toMatch(/\\ud/i)
})

test('a job store that is locked is 503 to each of a thousand requests, and one line a minute to the log', async () => {
  const clock = manualClock()
  const memory = memoryBackend({ clock })
  const fault = async (): Promise<never> => {
    throw new Error('database is locked')
  }
  const jobs = { ...memory.jobs, insert: fault, get: fault, findByIdempotencyKey: fault }
  const logged: unknown[][] = []
  const log = { warn() {}, error: (...line: unknown[]) => void logged.push(line) }
  const broken = createGenerationService({
    providers: [fakeProvider({ clock })],
    backend: { ...memory, jobs },
    clock,
    log,
  })
  const { ask } = setUp({ service: broken })
  const requests: [line: string, body?: object, headers?: Record<string, string>][] = [
    ['POST /m/v1/generate', kite],
    ['POST /m/v1/generate?wait=true', kite],
    ['POST /m/v1/images/generations', kite, { 'idempotency-key': 'one' }],
    ['GET /m/v1/jobs/gen_1'],
    ['GET /m/v1/files/gen_1'],
  ]
  const askAll = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const [line, body, headers] = requests[time % requests.length]!
      const reply = await ask(line, body, headers)
      expect(reply, line).toMatchObject({
        status: 503,
        headers: { 'retry-after': '3' },
        json: {
          error: {
            message: 'The job store does not answer. Try again later.',
            type: 'server_error',
            code: 'store_unavailable',
          },
        },
      })
    }
  }
  await askAll(1000)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toMatchObject([expect.stringMatching(/^Request req_/), { message: 'database is locked' }])
  await clock.advance(60_000)
  await askAll(10)
  expect(logged).toHaveLength(2)
  expect(String(logged[1])).toMatch(/1000 times .*: database is locked$/)
  await broken.close()
})

test('a log that throws costs no answer', async () => {
  const log = {
    warn() {},
    error() {
      throw new Error('disk full')
    },
  }
  const get = () => Promise.reject(new Error('unexpected'))
  expect(await setUp({ service: { log, get } }).ask('GET /m/v1/jobs/x')).toMatchObject({ status: 500 })
})

test('an option that is wrong is refused at construction', () => {
  const { service } = setUp()
  expect(() => createV1Interface(service, { ...options, maxBodyBytes: 0 })).toThrow(/^maxBodyBytes/)
})
