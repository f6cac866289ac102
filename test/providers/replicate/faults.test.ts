import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Job } from '@genmount/core'
import { afterEach, expect, test } from 'vitest'
import {
  answer,
  changed,
  enormous,
  type Exchange,
  type Fault,
  first,
  reset,
  resetAfterwards,
  silence,
  truncated,
} from './fault.ts'
import { replicateWorld, type World } from './replicate-world.ts'

let world: World
afterEach(() => world.close())

/** One job meets the faults, another runs beside it and must not notice. */
async function meet(faults: { create?: Fault; get?: Fault }): Promise<{ job: Job; creates: number }> {
  world = await replicateWorld()
  const { fake } = world
  Object.assign(fake.faults, faults)
  const troubled = await world.create('troubled')
  const calm = await world.create('painter')
  const job = await world.until(troubled.id)
  const { phase, costUsd, completedAt = Infinity } = await world.until(calm.id)
  expect({ phase, costUsd }).toEqual({ phase: 'completed', costUsd: 0.004485 })
  expect(completedAt - calm.createdAt).toBeLessThan(15_000)
  await world.expectNoLeak(troubled.id, calm.id)
  const taken = fake.ledger.filter((id) => fake.predictions.get(id)?.model === 'acme/troubled')
  expect(taken.length).toBeLessThanOrEqual(1)
  const creates = fake.requests.filter(({ path }) => path === '/v1/models/acme/troubled/predictions')
  return { job, creates: creates.length }
}

/** An answer in which the vendor repeats what it should not. */
const indiscreet = (status: number): Fault => {
  return (exchange) =>
    answer(status, { title: 'Error', detail: `Bearer ${world.fake.token} is at fault`, status })(exchange)
}

test.each([
  [401, /credentials of this service/],
  [403, /credentials of this service/],
  [402, /no credit left/],
  [404, /\[secret\] is at fault/],
  [409, /\[secret\] is at fault/],
  [422, /\[secret\] is at fault/],
])('a create that is answered with %i fails the job as rejected', async (status, message) => {
  const { job, creates } = await meet({ create: indiscreet(status) })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_rejected' }, costUsd: 0 })
  expect(job.error?.message).toMatch(message)
  expect(creates).toBe(1)
  expect(world.fake.ledger).toHaveLength(1)
})

test.each([
  ['seconds', 90, answer(429, {}, { 'retry-after': '90' })],
  ['a date', 59, (exchange: Exchange) => answer(429, {}, { 'retry-after': aMinuteAhead() })(exchange)],
  ['nonsense', 0.75, answer(429, {}, { 'retry-after': 'soon' })],
  // https://replicate.com/docs/topics/predictions/rate-limits
  ['words', 30, answer(429, { detail: 'Request was throttled. Your rate limit resets in ~30s.' })],
  ['other words', 1, answer(429, { detail: 'Request was throttled. Expected available in 1 second.' })],
])('a throttled create waits as long as it is told by %s', async (_name, seconds, fault) => {
  const { job, creates } = await meet({ create: first(1, fault) })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.004485 })
  const waitedMs = (job.startedAt ?? 0) - job.createdAt
  expect(waitedMs).toBeGreaterThanOrEqual(seconds * 1000 - 1000)
  expect(waitedMs).toBeLessThan(seconds * 1000 + 5000)
  expect(creates).toBe(2)
})

const aMinuteAhead = () => new Date(Date.now() + 60_000).toUTCString()

test('a create that is put off for ten days ends at the deadline, and nothing is spent', async () => {
  const { job, creates } = await meet({ create: answer(429, {}, { 'retry-after': String(10 * 86_400) }) })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'deadline_exceeded' }, costUsd: 0 })
  expect(creates).toBe(1)
  expect(world.fake.ledger).toHaveLength(1)
})

test.each([
  ['408', indiscreet(408)],
  ['500', indiscreet(500)],
  ['503', indiscreet(503)],
  ['a redirect', answer(307, {}, { location: 'https://elsewhere.example/' })],
  ['a reset before it was accepted', reset],
  ['a reset after it was accepted', resetAfterwards],
  ['silence', silence],
  ['half of its JSON', truncated],
  ['50 MB', enormous],
  ['no id', answer(201, { status: 'starting' })],
  ['an id that is a path', answer(201, { id: '../account', status: 'starting' })],
])('a create that is answered with %s is never made again', async (_name, fault) => {
  const { job, creates } = await meet({ create: fault })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
  expect(creates).toBe(1)
})

test.each([
  ['401', indiscreet(401)],
  ['402', indiscreet(402)],
  ['403', indiscreet(403)],
  ['409', indiscreet(409)],
  ['422', indiscreet(422)],
  ['429', answer(429, {}, { 'retry-after': '20' })],
  ['500', indiscreet(500)],
  ['502 in HTML', ({ response }: Exchange) => void response.writeHead(502).end('<html>')],
  ['a redirect', answer(302, {}, { location: 'https://elsewhere.example/' })],
  ['a reset', reset],
  ['silence', silence],
  ['half of its JSON', truncated],
  ['50 MB', enormous],
  ['nothing that it knows', answer(200, [])],
  ['a status word that nobody knows', changed({ status: 'pondering' })],
])('a poll that is answered with %s twice is no news, and the job completes', async (_name, fault) => {
  const { job, creates } = await meet({ get: first(2, fault) })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.004485, inferenceMs: 4485 })
  expect(creates).toBe(1)
})

test.each([
  ['404', answer(404, { detail: 'The requested resource could not be found.' })],
  ['410', answer(410, {})],
])('a prediction that Replicate has forgotten (%s) is lost', async (_name, fault) => {
  const { job } = await meet({ get: fault })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
})

test('a prediction that never ends is cancelled at the deadline', async () => {
  const { job } = await meet({ get: changed({ status: 'pondering' }) })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'deadline_exceeded' } })
  expect(world.fake.requests).toContainEqual(
    expect.objectContaining({ method: 'POST', path: `/v1/predictions/${String(job.handle)}/cancel` }),
  )
})

const metrics = { predict_time: 10 }

test.each([
  [null],
  [[]],
  [[null]],
  ['a text'],
  [42],
  [{}],
  [{ url: null }],
  ['javascript:alert(1)'],
  [['http://replicate.delivery/a.png']],
])('a prediction that succeeds with the output %j fails as invalid, and is paid for', async (output) => {
  const { job } = await meet({ get: changed({ status: 'succeeded', output, metrics }) })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' }, costUsd: 0.01 })
})

test.each([
  ['provider_lost', { status: 'succeeded', output: null, data_removed: true, metrics }, 0.01],
  // The words of real refusals: https://github.com/HeyPuter/puter/pull/3719, pollinations/pollinations#10801 and
  // #11809, replicate/cog-stable-diffusion#24.
  [
    'content_policy',
    {
      status: 'failed',
      error: 'NSFW content detected. Try running it again, or try a different prompt.',
      metrics,
    },
    0.01,
  ],
  [
    'content_policy',
    { status: 'failed', error: 'All generated images contained NSFW content.', metrics },
    0.01,
  ],
  [
    'content_policy',
    {
      status: 'failed',
      error: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
      metrics,
    },
    0.01,
  ],
  // https://replicate.com/docs/reference/error-codes
  ['provider_failed', { status: 'failed', error: 'Model ran out of memory (E1001)', metrics }, 0.01],
  ['provider_failed', { status: 'failed', error: null, metrics }, 0.01],
  ['provider_failed', { status: 'failed', error: { code: 7 } }, 0],
  ['provider_failed', { status: 'canceled', metrics }, 0.01],
  ['provider_failed', { status: 'aborted', metrics: {} }, 0],
])('a prediction that ends otherwise fails as %s: %j', async (code, fields, costUsd) => {
  const { job } = await meet({ get: changed(fields) })
  expect(job).toMatchObject({ phase: 'failed', error: { code }, costUsd })
})

test('an error that repeats the token is shown without it', async () => {
  const { job } = await meet({
    get: (exchange) => changed({ status: 'failed', error: `401 for ${world.fake.token}` })(exchange),
  })
  expect(job.error?.message).toBe('401 for [secret]')
})

test('while nobody listens at the address, nothing is spent and the job ends at its deadline', async () => {
  const unused = createServer().listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port } = unused.address() as AddressInfo
  unused.close()
  await once(unused, 'close')
  world = await replicateWorld({ baseUrl: `http://127.0.0.1:${port}/v1` })
  const { id } = await world.create('painter')
  const job = await world.until(id)
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'deadline_exceeded' }, costUsd: 0 })
})
