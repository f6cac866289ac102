import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Trouble, VendorReply } from '../vendor-server.ts'
import { googleError, invalidKey } from './google-fake.ts'
import { type GoogleRuns, googleRuns, image, omni } from './google-runs.ts'

let runs: GoogleRuns
beforeEach(async () => {
  runs = await googleRuns()
})
afterEach(() => runs.close())

const input = { prompt: 'a fox' }
const answer = (reply: VendorReply): Trouble => ({ instead: reply })
const error = (code: number, status: string, message = 'No.'): Trouble =>
  answer(googleError(code, status, message))
const retryInfo = (retryDelay: string) => [
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
]
test.each([
  [image, 'a bad key', 'provider_rejected', 0, answer(invalidKey)] as const,
  [image, 'a success that is none', 'output_invalid', 0, answer({ json: {} })] as const,
  [image, 'text alone', 'output_invalid', 0, answer({ json: textAlone() })] as const,
  [
    image,
    'no image',
    'output_invalid',
    0,
    answer({ json: { candidates: [{ finishReason: 'NO_IMAGE' }] } }),
  ] as const,
])(
  'a submit to %s that is answered with %s fails the job as %s',
  async (model, _, code, charges, trouble) => {
    runs.fake.trouble(model, trouble)
    const job = await runs.finished(await runs.create(model, input))
    expect(job).toMatchObject({ phase: 'failed', error: { code }, outputs: [] })
    expect(runs.fake.ledger).toHaveLength(charges)
    expect(runs.fake.requests).toHaveLength(1)
  },
)

function textAlone() {
  return { candidates: [{ content: { parts: [{ text: 'I can not draw.' }] }, finishReason: 'STOP' }] }
}

test.each([omni, image])(
  'a client of %s does not read that the key of this service is invalid at Google',
  async (model) => {
    runs.fake.trouble(model === omni ? '/interactions' : model, answer(invalidKey))
    const job = await runs.finished(await runs.create(model, input))
    expect(job.error?.message).toBe('The provider does not accept the credentials of this service.')
  },
)

test.each<[string, VendorReply, number]>([
  ['RetryInfo', googleError(429, 'RESOURCE_EXHAUSTED', 'Quota.', retryInfo('22.5s')), 22_500],
  ['nonsense in RetryInfo', googleError(429, 'RESOURCE_EXHAUSTED', 'Quota.', retryInfo('soon')), 1],
])(
  'a submit to Google that is answered with 429 and %s is repeated later and paid for once',
  async (_, reply, leastMs) => {
    runs.fake.trouble(image, answer({ ...reply, status: 429 }))
    expect(await runs.finished(await runs.create(image, input))).toMatchObject({ phase: 'completed' })
    const [first = 0, second = 0] = runs.sentAt
    expect(second - first).toBeGreaterThanOrEqual(leastMs)
    expect(second - first).toBeLessThan(leastMs + 120_000)
    expect(runs.fake.ledger).toHaveLength(1)
  },
)

test('a poll of Gemini Omni that is answered with a list is repeated, and the job completes', async () => {
  runs.fake.trouble('/interactions/', answer({ json: [] }))
  expect(await runs.finished(await runs.create(omni, input))).toMatchObject({ phase: 'completed' })
  expect(runs.fake.ledger).toHaveLength(1)
})

test.each<[string, string, Trouble]>([
  ['404 and always 404', 'provider_lost', error(404, 'NOT_FOUND')],
  ['410', 'provider_lost', error(410, 'GONE')],
  [
    'an inner address',
    'output_invalid',
    answer({ status: 302, headers: { location: 'http://10.0.0.1/a.mp4' } }),
  ],
  [
    'a redirect to itself',
    'output_invalid',
    answer({ status: 302, headers: { location: '/v1beta/files/omni0:download?alt=media' } }),
  ],
])('a Gemini Omni download that meets %s fails the job as %s with its cost', async (_, code, trouble) => {
  await runs.close()
  runs = await googleRuns({}, 0.4)
  runs.fake.trouble(':download', ...Array.from({ length: 100 }, () => trouble))
  const job = await runs.finished(await runs.create(omni, input))
  expect(job).toMatchObject({ phase: 'failed', error: { code }, costUsd: 3.2 })
})

test('a submit of a Gemini image is waited for four minutes and fails as submit_ambiguous after five', async () => {
  runs.fake.trouble(image, { after: 'hold' }, { after: 'hold' })
  const ids = [await runs.create(image, input), await runs.create(image, input)] as const
  await runs.clock.advance(0)
  await expect.poll(() => runs.fake.requests).toHaveLength(2)
  await runs.clock.advance(240_000)
  for (const id of ids) expect(await runs.job(id)).toMatchObject({ phase: 'submitting' })
  await runs.clock.advance(61_000)
  for (const id of ids)
    expect(await runs.finished(id)).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
  expect(runs.fake.requests).toHaveLength(2)
})
