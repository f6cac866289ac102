import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GenmountError } from '../errors/genmount-error.ts'
import { createClient } from './create-client.ts'
import type { ClientOptions } from './client-options.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const job = { id: 'gen_1', object: 'generation', status: 'processing', error: null, data: [] }
const done = { ...job, status: 'completed' }

type Answer = Response | Error | 'silence' | (() => Response)

/**
 * A fetch that returns these answers in order and repeats the last one. It records when it was called, in milliseconds.
 */
function scripted(...answers: readonly Answer[]) {
  const begin = Date.now()
  const calls: { at: number; url: string; init: RequestInit }[] = []
  const fetch = (url: unknown, init: RequestInit = {}) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)]!
    calls.push({ at: Date.now() - begin, url: String(url), init })
    if (answer === 'silence') return new Promise<Response>(() => {})
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve(typeof answer === 'function' ? answer() : answer.clone())
  }
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: 'https://app.example/media', apiKey: 'key', fetch, ...options })
  return { calls, connect }
}

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  reply(status, { error: { message: 'No.', type: 'any', param: null, code, request_id: 'req_1' } }, headers)

/** The result of a call, after all the time that the call needs. */
async function endOf<Value>(call: Promise<Value>): Promise<Value> {
  call.catch(() => {})
  await vi.advanceTimersByTimeAsync(3_600_000)
  return call
}

test('a pause before a retry is at least as long as Retry-After, and at most a quarter longer', async () => {
  const { calls, connect } = scripted(
    refused(429, 'rate_limit_exceeded', { 'retry-after': '7' }),
    refused(503, 'capacity_exceeded', { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
    reply(200, { object: 'list', data: [] }),
  )
  await endOf(connect().models())
  expect(calls).toHaveLength(3)
  expect(calls[1]!.at).toBeGreaterThanOrEqual(7000)
  expect(calls[1]!.at).toBeLessThanOrEqual(8750)
  expect(calls[2]!.at).toBeGreaterThanOrEqual(29_000)
  expect(calls[2]!.at).toBeLessThanOrEqual(37_500)
})

test('without Retry-After the pauses grow, and the retries end', async () => {
  const { calls, connect } = scripted(new TypeError('fetch failed'))
  await expect(endOf(connect().models())).rejects.toMatchObject({
    code: 'network_error',
    message: expect.stringContaining('https://app.example/media could not be reached'),
  })
  const pauses = calls.slice(1).map(({ at }, n) => at - calls[n]!.at)
  expect(pauses).toHaveLength(5)
  for (const [n, ms] of [500, 1000, 2000, 4000, 8000].entries()) {
    expect(pauses[n]).toBeGreaterThanOrEqual(ms)
    expect(pauses[n]).toBeLessThanOrEqual(ms * 1.25 + 1)
  }
})

test.each([
  { why: 'a wrong request', answer: refused(400, 'invalid_request') },
  { why: 'a used up budget', answer: refused(429, 'insufficient_quota') },
  { why: 'a fault of the service', answer: refused(500, 'internal_error') },
  {
    why: 'a pause of more than a minute',
    answer: refused(503, 'store_unavailable', { 'retry-after': '61' }),
  },
])('$why is not sent again', async ({ answer }) => {
  const { calls, connect } = scripted(answer)
  await expect(endOf(connect().models())).rejects.toMatchObject({ requestId: 'req_1' })
  expect(calls).toHaveLength(1)
})

test.each([
  408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 561, 598,
  599,
])('the answer %i of a proxy is sent again', async (status) => {
  const { calls, connect } = scripted(
    new Response('<html>', { status }),
    reply(200, { object: 'list', data: [] }),
  )
  await endOf(connect().models())
  expect(calls).toHaveLength(2)
})

test.each([400, 401, 403, 404, 413, 501, 505])(
  'the answer %i of a proxy is not sent again',
  async (status) => {
    const { calls, connect } = scripted(new Response('<html>', { status }))
    await expect(endOf(connect().models())).rejects.toMatchObject({ code: 'unexpected_answer', status })
    expect(calls).toHaveLength(1)
  },
)

test('a create that Cloudflare has forwarded and answered with 524 is sent again with the same key, and gives its job', async () => {
  const late = new Response('error code: 524', { status: 524 })
  const { calls, connect } = scripted(late, reply(200, done))
  expect(await endOf(connect().generate({ model: 'flux', prompt: 'a kite' }))).toMatchObject({ id: done.id })
  const keys = calls.map(({ init }) => new Headers(init.headers).get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('a create whose answer was cut off by a proxy that claims it to be whole is sent again with the same key', async () => {
  const whole = JSON.stringify(done)
  for (const length of [1, 20, whole.length - 1]) {
    const { calls, connect } = scripted(new Response(whole.slice(0, length)), reply(200, done))
    expect(await endOf(connect().generate({ model: 'flux' }))).toMatchObject({ id: done.id })
    expect(new Set(calls.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).size).toBe(1)
    expect(calls).toHaveLength(2)
  }
})

test.each(['null', '[]', '7', '"ok"', '{}', '{"status":"ok"}', '{"id":null}', '', 'OK', '<html>'])(
  'the answer %s with 200 is none of a genmount service',
  async (body) => {
    const { connect } = scripted(new Response(body))
    for (const call of [
      () => connect().generate({ model: 'flux' }),
      () => connect().get('gen_1'),
      () => connect().wait('gen_1'),
      () => connect().models(),
      () => connect().listPage(),
    ])
      await expect(endOf<unknown>(call())).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 })
  },
)

test.each([500, 502, 504, 524])(
  'a delete that was answered %i and then 404 has succeeded',
  async (status) => {
    const { connect } = scripted(new Response('', { status }), refused(404, 'job_not_found'))
    await endOf(connect().delete('gen_1'))
  },
)

test('a create whose idempotency key is in use is repeated with the same key and body', async () => {
  const busy = refused(409, 'idempotency_in_progress', { 'retry-after': '1' })
  const { calls, connect } = scripted('silence', busy, reply(200, done))
  await endOf(connect({ timeoutMs: 1000 }).generate({ model: 'flux', prompt: 'a kite' }))
  expect(calls).toHaveLength(3)
  const [first, ...others] = calls.map(({ init: { headers, body } }) => ({ headers, body }))
  expect(first!.headers).toHaveProperty('idempotency-key', expect.stringMatching(/^[\w-]{16,}$/))
  for (const other of others) expect(other).toEqual(first)
})

test('two creates have two idempotency keys, also without crypto.randomUUID', async () => {
  for (const crypto of [globalThis.crypto, {}, undefined]) {
    vi.stubGlobal('crypto', crypto)
    const { calls, connect } = scripted(reply(202, job))
    await connect().create({ model: 'flux' })
    await connect().create({ model: 'flux' })
    const keys = calls.map(({ init }) => new Headers(init.headers).get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]!.length).toBeGreaterThan(20)
  }
})

test('a request to a server that does not answer throws timeout after maxRetries retries', async () => {
  const { calls, connect } = scripted('silence')
  const call = connect({ timeoutMs: 10_000, maxRetries: 2 }).models()
  await expect(endOf(call)).rejects.toMatchObject({ code: 'timeout' })
  expect(calls).toHaveLength(3)
})

test('an abort ends a pause, a request and a body at once, and leaves no timer', async () => {
  const endless = () => new Response(new ReadableStream())
  for (const answer of [
    refused(503, 'shutting_down', { 'retry-after': '60' }),
    'silence',
    endless,
  ] as const) {
    const { calls, connect } = scripted(answer)
    const controller = new AbortController()
    const call = connect().get('gen_1', { signal: controller.signal })
    const end = expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
    await vi.advanceTimersByTimeAsync(10)
    controller.abort('enough')
    await end
    expect([calls.length, vi.getTimerCount()]).toEqual([1, 0])
  }
})

test('a call that has ended leaves no listener on its signal', async () => {
  const { signal } = new AbortController()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  const refusal = refused(404, 'file_not_found')
  for (const answer of [reply(200, done), refusal, new TypeError('fetch failed')]) {
    const { connect } = scripted(answer)
    await endOf(connect().get('gen_1', { signal })).catch(() => {})
    if (answer !== refusal && answer instanceof Response) continue
    await endOf(connect().download('gen_1', 0, { signal })).catch(() => {})
  }
  const listeners = new Set(added.mock.calls.map(([, listener]) => listener))
  for (const [, listener] of removed.mock.calls) listeners.delete(listener)
  expect([added.mock.calls.length > 0, listeners.size]).toEqual([true, 0])
})

test('wait polls a job whose events are not JSON', async () => {
  const headers = { 'content-type': 'text/event-stream' }
  const { calls, connect } = scripted(
    new Response('event: state\ndata: {"id":\n\n', { headers }),
    reply(200, done),
  )
  expect(await endOf(connect().wait('gen_1'))).toEqual(done)
  expect(calls.map(({ url }) => url.replace(/.*gen_1/, ''))).toEqual(['/events', ''])
})

test('wait polls no earlier than Retry-After asks when bodies can not be streamed, as in React Native', async () => {
  const { calls, connect } = scripted(
    reply(202, job, { 'retry-after': '5' }),
    reply(200, job, { 'retry-after': '9' }),
    reply(200, job),
    reply(200, done),
  )
  vi.stubGlobal('Response', function Response() {})
  expect(await endOf(connect().generate({ model: 'flux' }))).toMatchObject({ status: 'completed' })
  expect(calls.map(({ url }) => url.replace('https://app.example/media/v1', ''))).toEqual([
    '/generate?wait=true',
    '/jobs/gen_1',
    '/jobs/gen_1',
    '/jobs/gen_1',
  ])
  const pauses = calls.slice(1).map(({ at }, n) => at - calls[n]!.at)
  for (const [n, ms] of [5000, 9000, 3000].entries()) {
    expect(pauses[n]).toBeGreaterThanOrEqual(ms)
    expect(pauses[n]).toBeLessThanOrEqual(ms * 1.25 + 1)
  }
})

test('wait polls a job after three event streams without an event, or one without any byte', async () => {
  const type = { 'content-type': 'text/event-stream' }
  const empty = () => new Response('retry: 100\n\n', { headers: type })
  const held = () => new Response(new ReadableStream(), { headers: type })
  const paths = (calls: readonly { url: string }[]) => calls.map(({ url }) => url.replace(/.*gen_1/, ''))
  const vain = scripted(empty, empty, empty, reply(200, done))
  await endOf(vain.connect().wait('gen_1'))
  expect(paths(vain.calls)).toEqual(['/events', '/events', '/events', ''])
  const silent = scripted(held, reply(200, done))
  await endOf(silent.connect().wait('gen_1'))
  expect(paths(silent.calls)).toEqual(['/events', ''])
})

test('wait throws an error with the last known state of the job when the service is away', async () => {
  const { connect } = scripted(reply(202, job), new TypeError('fetch failed'))
  const call = endOf(connect().generate({ model: 'flux' }))
  await expect(call).rejects.toMatchObject({ code: 'network_error', job: { id: 'gen_1' } })
})

test('generate throws the error that its callback throws', async () => {
  const { connect } = scripted(reply(202, job))
  const fault = new Error('the app is broken')
  const onJob = () => {
    throw fault
  }
  await expect(endOf(connect().generate({ model: 'flux' }, { onJob }))).rejects.toBe(fault)
})

test('an answer of another server, or a redirect, throws unexpected_answer', async () => {
  for (const answer of [new Response('<html>'), new Response('', { status: 301 })]) {
    const { connect } = scripted(answer)
    const { status } = answer
    await expect(endOf(connect().models())).rejects.toMatchObject({ code: 'unexpected_answer', status })
  }
})

test('a function as apiKey is called before each request', async () => {
  let n = 0
  const { calls, connect } = scripted(
    new Response('', { status: 502 }),
    reply(200, { object: 'list', data: [] }),
  )
  await endOf(connect({ apiKey: async () => `key-${++n}` }).models())
  const sent = calls.map(({ init }) => new Headers(init.headers).get('authorization'))
  expect(sent).toEqual(['Bearer key-1', 'Bearer key-2'])
})

test('a client without apiKey sends no Authorization header', async () => {
  const { calls, connect } = scripted(reply(200, { object: 'list', data: [] }))
  await connect({ apiKey: undefined }).models()
  expect(new Headers(calls[0]!.init.headers).has('authorization')).toBe(false)
})

test.each([
  [{ baseUrl: 'app.example' }, 'baseUrl must be the address in front of /v1'],
  [{ baseUrl: 'https://me:secret@app.example' }, 'baseUrl must be the address in front of /v1'],
  [{ baseUrl: 'https://app.example/v1/' }, 'baseUrl must be the address in front of /v1'],
  [{ baseUrl: '/media' }, 'baseUrl must be the address in front of /v1'],
  [{ apiKey: 7 as never }, 'apiKey must be a text of visible ASCII characters, or a function'],
  [{ apiKey: 'secret\n' }, 'apiKey must be a text of visible ASCII characters'],
  [{ fetch: {} as never }, 'fetch must be a function'],
  [{ maxRetries: -1 }, 'maxRetries must be a whole number from 0'],
  [{ timeoutMs: 0 }, 'timeoutMs must be above 0 and below 2 ** 31 ms'],
  [{ apikey: 'key' } as object, 'apikey is none of baseUrl, apiKey'],
])('the wrong option %j is named', (options, message) => {
  const make = () => createClient({ baseUrl: 'https://app.example', ...options })
  expect(make).toThrow(`createClient: ${message}`)
  expect(make).toThrow(TypeError)
  expect(make).not.toThrow('secret')
})

test('a client in a page takes a path or nothing as baseUrl, and sends requests to the origin of the page', async () => {
  vi.stubGlobal('location', { href: 'https://app.example/page' })
  const { calls, connect } = scripted(reply(200, { object: 'list', data: [] }))
  await connect({ baseUrl: '/media/' }).models()
  await connect({ baseUrl: '' }).models()
  expect(calls.map(({ url }) => url)).toEqual(['/media/v1/models', '/v1/models'])
  expect(() => connect({ baseUrl: '//evil.example' })).toThrow('baseUrl')
})

test('wait polls a job when the fetch of the app returns bodies that are no web streams', async () => {
  const streamed = () => {
    const response = new Response('', { headers: { 'content-type': 'text/event-stream' } })
    return Object.defineProperty(response, 'body', { value: { pipe() {} } })
  }
  const { calls, connect } = scripted(streamed, reply(200, done))
  expect(await endOf(connect().wait('gen_1'))).toMatchObject({ status: 'completed' })
  expect(calls).toHaveLength(2)
})

test('list ends after a page without a next page', async () => {
  const { calls, connect } = scripted(reply(200, { object: 'list', data: [job] }), new TypeError('no more'))
  const ids: string[] = []
  for await (const { id } of connect({ maxRetries: 0 }).list()) ids.push(id)
  expect([ids, calls.length]).toEqual([['gen_1'], 1])
})

test('the slashes of a model id stay as they are, since some proxies refuse them encoded', async () => {
  const { calls, connect } = scripted(reply(200, { object: 'model', id: 'acme/flux 2?' }))
  await connect().model('acme/flux 2?')
  expect(calls[0]!.url).toBe('https://app.example/media/v1/models/acme/flux%202%3F')
})

test('createClient without options throws an error that names the required option', () => {
  const message = 'createClient: baseUrl must be the address in front of /v1'
  expect(() => createClient(undefined as never)).toThrow(message)
  vi.stubGlobal('location', { href: 'https://app.example/page' })
  expect(() => createClient(undefined as never)).toThrow(message)
})

test('an estimate is a dry run with a key that releases without estimates refuse, and is sent again like a create', async () => {
  const estimate = { object: 'estimate', model: 'flux', cost_usd: 0.04, accepted: true, error: null }
  const { calls, connect } = scripted(new TypeError('lost'), reply(200, estimate))
  const input = { model: 'flux', prompt: 'a kite' }
  expect(await endOf(connect().estimate(input, { spendUsdPerDay: 2.5 }))).toEqual(estimate)
  expect(calls).toHaveLength(2)
  for (const { url, init } of calls) {
    expect(url).toBe('https://app.example/media/v1/generate?dry_run=true')
    expect(init).toMatchObject({
      method: 'POST',
      body: JSON.stringify(input),
      headers: { 'idempotency-key': '"', 'x-spend-usd-per-day': '2.5' },
    })
  }
})

test('creates with and without wait tell the service their own limit on spending, and others tell none', async () => {
  const { calls, connect } = scripted(reply(200, done))
  const client = connect()
  await endOf(client.create({ model: 'flux' }, { spendUsdPerDay: 0 }))
  await endOf(client.generate({ model: 'flux' }, { spendUsdPerDay: 7 }))
  await endOf(client.create({ model: 'flux' }))
  // What is left after a subtraction, and less than a millionth: the service refuses more than six digits.
  await endOf(client.create({ model: 'flux' }, { spendUsdPerDay: 1 - 0.9 }))
  await endOf(client.create({ model: 'flux' }, { spendUsdPerDay: 1e-7 }))
  expect(calls.map(({ init: { headers } }) => new Headers(headers).get('x-spend-usd-per-day'))).toEqual([
    '0',
    '7',
    null,
    '0.1',
    '0',
  ])
})

test.each([
  ['the job', { id: 'gen_1' } as never],
  ['its id', 'gen_1'],
])(
  'a download of %s says within a second that the service takes another address for its own',
  async (_, reference) => {
    const elsewhere = { ...done, urls: { get: 'http://127.0.0.1:3000/v1/jobs/gen_1' } }
    const failure = new TypeError('fetch failed')
    const { calls, connect } = scripted(failure, failure, reply(200, elsewhere))
    const error: GenmountError = await endOf(connect().download(reference)).catch((caught) => caught)
    expect(error.code).toBe('output_elsewhere')
    expect(error.message).toContain('http://127.0.0.1:3000')
    expect(error.message).toContain('https://app.example')
    expect(error.message).toContain('baseUrl')
    expect(error.cause).toMatchObject({ cause: failure })
    expect(calls.at(-1)!.url).toBe('https://app.example/media/v1/jobs/gen_1')
    expect(calls.at(-1)!.at).toBeLessThan(1000)
  },
)

test('a page that leaves its own origin out of baseUrl learns as well that the service takes another address', async () => {
  vi.stubGlobal('location', { href: 'https://app.example/page', origin: 'https://app.example' })
  const elsewhere = reply(200, { ...done, urls: { get: 'http://app.example/v1/jobs/gen_1' } })
  const { connect } = scripted(new TypeError('fetch failed'), elsewhere)
  const download = connect({ baseUrl: '', maxRetries: 0 }).download('gen_1')
  await expect(endOf(download)).rejects.toMatchObject({ code: 'output_elsewhere' })
})

test.each([
  ['the whole service is away', [new TypeError('fetch failed')]],
  [
    'the service answers, and the outputs are at its own address',
    [
      new TypeError('fetch failed'),
      new TypeError('fetch failed'),
      reply(200, { ...done, urls: { get: 'https://app.example/media/v1/jobs/gen_1' } }),
      new TypeError('fetch failed'),
      reply(200, { ...done, urls: { get: 'https://app.example/media/v1/jobs/gen_1' } }),
    ],
  ],
])('a download is tried again for as long as before when %s', async (_, answers) => {
  const { calls, connect } = scripted(...answers, new TypeError('fetch failed'))
  await expect(endOf(connect().download('gen_1'))).rejects.toMatchObject({ code: 'network_error' })
  expect(calls.filter(({ url }) => url.includes('/v1/files/gen_1'))).toHaveLength(6)
})

test('a download succeeds after a short outage, also where the service has another address for its clients', async () => {
  const file = new Response('bytes')
  const away = new TypeError('fetch failed')
  // Each try after the first is followed by a look at the job, which fails as well while the service is away.
  const { connect } = scripted(away, away, away, away, away, file)
  expect(await (await endOf(connect().download('gen_1'))).text()).toBe('bytes')
})
