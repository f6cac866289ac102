import type { Job } from '@genmount/core'
import { afterEach, expect, test } from 'vitest'
import { always, type Trouble } from '../vendor-server.ts'
import { creates, reads, replicateWorld, type ReplicateWorld } from './replicate-world.ts'

let world: ReplicateWorld
afterEach(() => world.close())

/** One job meets the trouble, another runs beside it and must not notice. */
async function meet(where: string, trouble: Trouble): Promise<{ job: Job; submits: number }> {
  world = await replicateWorld()
  const { fake } = world
  fake.trouble(where, trouble)
  const troubled = await world.create('troubled')
  const calm = await world.create('painter')
  const job = await world.finished(troubled)
  const { phase, costUsd, createdAt, completedAt = Infinity } = await world.finished(calm)
  expect({ phase, costUsd }).toEqual({ phase: 'completed', costUsd: 0.004485 })
  expect(completedAt - createdAt).toBeLessThan(15_000)
  const taken = fake.ledger.filter((id) => fake.predictions.get(id)?.model === 'acme/troubled')
  expect(taken.length).toBeLessThanOrEqual(1)
  const submits = fake.requests.filter(({ url }) => url.pathname.endsWith(creates))
  return { job, submits: submits.length }
}

const saying = (status: number, json: unknown): Trouble => ({ instead: { status, json } })
const changed = (fields: object): Trouble =>
  always({ after: ({ json }) => ({ json: { ...(json as object), ...fields } }) })

test.each([
  // https://replicate.com/docs/topics/predictions/rate-limits
  ['words', 30, saying(429, { detail: 'Request was throttled. Your rate limit resets in ~30s.' })],
  ['other words', 1, saying(429, { detail: 'Request was throttled. Expected available in 1 second.' })],
])(
  'a create that Replicate throttles is repeated after the pause that the error names in %s',
  async (_name, seconds, trouble) => {
    const { job, submits } = await meet(creates, trouble)
    expect(job).toMatchObject({ phase: 'completed', costUsd: 0.004485 })
    const waitedMs = (job.startedAt ?? 0) - job.createdAt
    expect(waitedMs).toBeGreaterThanOrEqual(seconds * 1000 - 1000)
    expect(waitedMs).toBeLessThan(seconds * 1000 + 5000)
    expect(submits).toBe(2)
  },
)

test.each([
  ['no id', saying(201, { status: 'starting' })],
  ['an id that is a path', saying(201, { id: '../account', status: 'starting' })],
])(
  'a create that Replicate answers with %s fails as submit_ambiguous and is not repeated',
  async (_name, trouble) => {
    const { job, submits } = await meet(creates, always(trouble))
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
    expect(submits).toBe(1)
  },
)

test('a prediction that Replicate answers with 410 fails the job as provider_lost', async () => {
  const { job } = await meet(reads, always(saying(410, {})))
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
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
])(
  'a Replicate prediction that succeeds with the output %j fails the job as output_invalid and is paid for',
  async (output) => {
    const { job } = await meet(reads, changed({ status: 'succeeded', output, metrics }))
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' }, costUsd: 0.01 })
  },
)

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
])('a Replicate prediction fails the job as %s when it ends as %j', async (code, fields, costUsd) => {
  const { job } = await meet(reads, changed(fields))
  expect(job).toMatchObject({ phase: 'failed', error: { code }, costUsd })
})
