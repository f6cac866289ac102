import { createGenerationService } from '@genmount/core'
import { type Limits, limits, type LimitsOptions } from '@genmount/core/limits'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test, vi } from 'vitest'
import { kite, setUp } from '../test-kit/set-up.ts'

function limited(most: Limits, options: LimitsOptions = {}) {
  const clock = manualClock()
  const log = quietLog()
  const providers = [fakeProvider({ clock })]
  const service = createGenerationService({ providers, clock, log, plugins: [limits(most, options)] })
  return { ...setUp({ service }), clock, log }
}

const bob = { authorization: 'Bearer bob-key' }
const counters = ({ headers }: { headers: Record<string, string> }) => [
  headers['ratelimit'],
  headers['ratelimit-policy'],
]

test('an owner who has used up the requests of a minute gets 429 with Retry-After, and other owners do not', async () => {
  const { ask, bodyReads, service } = limited({ requestsPerMinute: 3 })
  const create = vi.spyOn(service, 'create')
  for (const line of ['GET /m/v1/models', 'GET /m/v1/jobs', 'DELETE /m/v1/models'])
    expect((await ask(line)).status).not.toBe(429)
  const refused = await ask('POST /m/v1/generate', kite)
  expect(refused.status).toBe(429)
  expect(refused.json.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' })
  expect(refused.headers).toMatchObject({
    'retry-after': '20',
    ratelimit: '"requests";r=0;t=20',
    'ratelimit-policy': '"requests";q=3;w=60',
    'cache-control': 'no-store',
    'x-request-id': refused.json.error.request_id,
  })
  expect(bodyReads()).toBe(0)
  expect(create).not.toHaveBeenCalled()
  expect((await ask('GET /m/v1/models', undefined, bob)).status).toBe(200)
})

test('an owner who waits as long as Retry-After says is served once', async () => {
  const { ask, clock } = limited({ requestsPerMinute: 7 })
  for (let i = 0; i < 7; i++) expect((await ask('GET /m/v1/models')).status).toBe(200)
  for (let i = 0; i < 20; i++) {
    const { status, headers } = await ask('GET /m/v1/models')
    expect(status).toBe(429)
    await clock.advance(Number(headers['retry-after']) * 1000)
    expect((await ask('GET /m/v1/models')).status).toBe(200)
  }
})

test('in each minute after a quiet one, exactly the allowed number of requests is served', async () => {
  const { ask, clock } = limited({ requestsPerMinute: 50 })
  for (let minute = 0; minute < 3; minute++) {
    let served = 0
    for (let i = 0; i < 80; i++) if ((await ask('GET /m/v1/models')).status === 200) served++
    expect(served).toBe(50)
    await clock.advance(60_000)
  }
})

test('every answer to an owner, also a refusal, says how many requests are left; a redirect does not', async () => {
  const { ask, clock } = limited({ requestsPerMinute: 60 })
  expect(counters(await ask('GET /m/v1/models'))).toEqual(['"requests";r=59;t=1', '"requests";q=60;w=60'])
  expect(counters(await ask('GET /m/v1/jobs/none'))).toEqual(['"requests";r=58;t=1', '"requests";q=60;w=60'])
  expect(counters(await ask('PUT /m/v1/jobs'))[0]).toBe('"requests";r=57;t=1')
  expect(counters(await ask('GET /m/v1/nothing'))[0]).toBe('"requests";r=56;t=1')
  expect(counters(await ask('HEAD /m/v1/models'))[0]).toBe('"requests";r=55;t=1')
  const { json } = await ask('POST /m/v1/generate', kite)
  await clock.advance(60_000)
  const file = await ask(`GET /m/v1/files/${json.id}`)
  expect([file.status, ...counters(file)]).toEqual([302, undefined, undefined])
})

test('a request with a wrong key counts for no owner and gets no RateLimit headers', async () => {
  const { ask } = limited({ requestsPerMinute: 1 })
  for (let i = 0; i < 3; i++) {
    const reply = await ask('GET /m/v1/models', undefined, { authorization: 'Bearer wrong' })
    expect([reply.status, ...counters(reply)]).toEqual([401, undefined, undefined])
  }
  expect((await ask('GET /m/v1/models')).status).toBe(200)
})

test('a function of the owner may set another request limit for each owner', async () => {
  const { ask } = limited(async (owner) => (owner === 'alice' ? { requestsPerMinute: 1 } : {}))
  expect((await ask('GET /m/v1/models')).status).toBe(200)
  expect((await ask('GET /m/v1/models')).status).toBe(429)
  for (let i = 0; i < 3; i++) {
    const reply = await ask('GET /m/v1/models', undefined, bob)
    expect([reply.status, ...counters(reply)]).toEqual([200, undefined, undefined])
  }
})

test('when the function for the limits fails, the answer is 500 without the reason, which the log has', async () => {
  const { ask, log } = limited(() => Promise.reject(new Error('plans.test is away')))
  const { status, body } = await ask('GET /m/v1/models')
  expect([status, String(body)]).toEqual([500, expect.not.stringContaining('plans.test')])
  expect(log.lines.join('\n')).toContain('plans.test is away')
})

/**
 * Counts as the limiters of rate-limiter-flexible 11 do: in fixed windows, with a rejection for a request that is too
 * many.
 */
function sharedCounter(points = 1_000_000) {
  const countOf = new Map<string, number>()
  return {
    async consume(key: string) {
      const consumedPoints = (countOf.get(key) ?? 0) + 1
      countOf.set(key, consumedPoints)
      const counted = {
        consumedPoints,
        msBeforeNext: 41_500,
        remainingPoints: Math.max(0, points - consumedPoints),
      }
      if (consumedPoints > points) throw counted
      return counted
    },
  }
}

test('with a shared counter, the requests at all processes count together', async () => {
  const requestCounter = sharedCounter()
  const [a, b] = [0, 1].map(() => limited({ requestsPerMinute: 3 }, { requestCounter }).ask)
  expect(counters(await a!('GET /m/v1/models'))).toEqual(['"requests";r=2;t=42', '"requests";q=3;w=60'])
  expect(counters(await b!('GET /m/v1/models'))[0]).toBe('"requests";r=1;t=42')
  expect(counters(await a!('GET /m/v1/models'))[0]).toBe('"requests";r=0;t=42')
  for (const ask of [a!, b!]) {
    const { status, headers } = await ask('GET /m/v1/models')
    expect([status, headers['retry-after']]).toEqual([429, '42'])
  }
  expect((await a!('GET /m/v1/models', undefined, bob)).status).toBe(200)
})

test('a lower limit of the shared counter also applies', async () => {
  const { ask } = limited({ requestsPerMinute: 100 }, { requestCounter: sharedCounter(1) })
  expect((await ask('GET /m/v1/models')).status).toBe(200)
  const { status, headers } = await ask('GET /m/v1/models')
  expect([status, headers['ratelimit']]).toEqual([429, '"requests";r=0;t=42'])
})

test.each<[string, () => Promise<never>]>([
  ['is away', () => Promise.reject(new Error('connect ECONNREFUSED redis.test'))],
  ['gives nonsense', () => Promise.resolve('OK' as never)],
  ['hangs', () => new Promise(() => {})],
])('when the counter %s, the answer is 503, and nothing passes uncounted', async (_what, consume) => {
  const { ask, clock } = limited({ requestsPerMinute: 100 }, { requestCounter: { consume } })
  const reply = ask('GET /m/v1/models')
  await clock.advance(2000)
  expect((await reply).json.error.code).toBe('store_unavailable')
  expect(String((await reply).body)).not.toContain('redis')
})

test('without a request limit no request is counted and no RateLimit header is sent', async () => {
  const requestCounter = { consume: vi.fn() }
  const { ask } = limited({ spendUsdPerDay: 1 }, { requestCounter })
  const reply = await ask('GET /m/v1/models')
  expect([reply.status, ...counters(reply)]).toEqual([200, undefined, undefined])
  expect(requestCounter.consume).not.toHaveBeenCalled()
})
