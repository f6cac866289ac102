import { createGenerationService, GenerationError, memoryBackend } from '@genmount/core'
import { cpuTimeOf, fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { kite, options, setUp } from '../test-kit/set-up.ts'
import { createV1Interface } from './v1-interface.ts'

test('an authenticate that throws gives a 500 without detail, and its GenerationError gives its own status', async () => {
  const broken = setUp({ options: { authenticate: () => Promise.reject(new Error('db at 10.0.0.7')) } })
  const reply = await broken.ask('GET /m/v1/jobs/x')
  expect(reply).toMatchObject({
    status: 500,
    json: { error: { code: 'internal_error', type: 'server_error' } },
  })
  expect(reply.body).not.toContain('10.0.0.7')
  expect(String(broken.log.lines)).toContain('10.0.0.7')
  expect(String(broken.log.lines)).not.toContain('alice-key')

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

test.each([
  [true, 'what authenticate returns must be { owner }, or null for a wrong key, not true.'],
  ['alice', 'what authenticate returns must be { owner }, or null for a wrong key, not a text.'],
  [{ user: 'alice' }, 'the owner that authenticate returns must be the name of an owner, not undefined.'],
  [{ owner: 42 }, 'the owner that authenticate returns must be the name of an owner, not a number.'],
  [{ owner: '' }, 'the owner that authenticate returns must be the name of an owner.'],
])('the log says what authenticate should have returned in place of %o', async (identity, message) => {
  const { ask, log } = setUp({ options: { authenticate: () => identity as never } })
  expect((await ask('GET /m/v1/jobs/x')).status).toBe(500)
  expect(String(log.lines)).toContain(message)
})

test('a request for an unknown path gets a 404 that names this path, without what may be a key in it, and where the interface is', async () => {
  const { ask } = setUp()
  for (const [line, seen] of [
    ['POST /m/v1/videos/generations', '/m/v1/videos/generations'],
    ['GET /m/nothing?key=a-secret', '/m/nothing'],
    ['GET /v1/jobs/gen_1', '/v1/jobs/...'],
    ['GET /m/v1/alice-4f1c9a70', '/m/v1/...'],
    ['GET /m/v1/jobs/', '/m/v1/jobs/'],
    [`GET /m/${'x'.repeat(10_000)}`, '/m/...'],
    [`GET /m${'/a'.repeat(1000)}`, `/m${'/a'.repeat(10)}`],
  ] as const) {
    const message = `There is nothing at ${seen}. The interface is below /m/v1, such as POST /m/v1/generate.`
    expect(await ask(line), line).toMatchObject({
      status: 404,
      json: { error: { code: 'route_not_found', message } },
    })
  }
})

test('a query that repeats a parameter 100,000 times is answered in linear time, with or without a key', async () => {
  const { ask } = setUp()
  const cpuMs = await cpuTimeOf(async () => {
    const reply = await ask(`GET /m/v1/jobs/x?${'&a=1'.repeat(25_000)}`, undefined, { authorization: '' })
    expect(reply.status).toBe(401)
    expect((await ask(`GET /m/v1/files/x?${'&n=1'.repeat(25_000)}`)).json.error.param).toBe('n')
  })
  expect(cpuMs).toBeLessThan(1000)
})

test('a GenerationError of authenticate gives a 401 with WWW-Authenticate', async () => {
  const authenticate = () => {
    throw new GenerationError('invalid_api_key', 'This key has been revoked.')
  }
  const reply = await setUp({ options: { authenticate } }).ask('GET /m/v1/jobs/x')
  expect(reply).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
})

test('an unknown error code from the app gives a 500 and is logged', async () => {
  const get = () => Promise.reject(new GenerationError('teapot' as 'job_not_found', 'Short and stout.'))
  expect(await setUp({ service: { get } }).ask('GET /m/v1/jobs/x')).toMatchObject({ status: 500 })
})

test('an error message never contains half of a surrogate pair', async () => {
  const authenticate = () => {
    throw new GenerationError('rate_limit_exceeded', 'Slow down, \ud83d.', { param: 'a\ude00' })
  }
  const { body, json } = await setUp({ options: { authenticate } }).ask('GET /m/v1/jobs/x')
  expect(json.error).toMatchObject({ message: 'Slow down, \ufffd.', param: 'a\ufffd' })
  expect(body).not.toMatch(/\\ud/i)
})

test('a locked job store gives 503 to each of 1,000 requests and one line a minute in the log', async () => {
  const clock = manualClock()
  const memory = memoryBackend({ clock })
  const fault = async (): Promise<never> => {
    throw new Error('database is locked')
  }
  const jobs = { ...memory.jobs, insert: fault, get: fault, findByIdempotencyKey: fault }
  const log = quietLog()
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
  expect(log.errors).toEqual([expect.stringMatching(/^Request req_/)])
  expect(log.causes).toMatchObject([{ message: 'database is locked' }])
  await clock.advance(60_000)
  await askAll(10)
  expect(log.errors).toHaveLength(2)
  expect(log.errors[1]).toMatch(/1000 times .*: database is locked$/)
  await broken.close()
})

test('a log that throws does not change any answer', async () => {
  const log = {
    warn() {},
    error() {
      throw new Error('disk full')
    },
  }
  const get = () => Promise.reject(new Error('unexpected'))
  expect(await setUp({ service: { log, get } }).ask('GET /m/v1/jobs/x')).toMatchObject({ status: 500 })
})

test('a wrong option of the interface throws a TypeError at construction', () => {
  const { service } = setUp()
  expect(() => createV1Interface(service, { ...options, maxBodyBytes: 0 })).toThrow(
    /^createV1Interface: maxBodyBytes/,
  )
})
