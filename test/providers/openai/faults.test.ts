import { openaiProvider } from '@genmount/provider-openai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serviceWorld, type ServiceWorld } from '../service-world.ts'
import { openaiError, token } from './openai-words.ts'
import { type OpenaiFake, openaiFake } from './openai-fake.ts'
import type { Trouble, VendorReply } from '../vendor-server.ts'

let fake: OpenaiFake
let runs: ServiceWorld
/** When requests were sent, by the clock of the service. */
let sentAt: number[]

const input = { prompt: 'a fox' }
const price = { textInput: 5, imageInput: 8, imageOutput: 30 }
const oneImageUsd = (12 * 5 + 1056 * 30) / 1e6

function connect() {
  return openaiProvider({
    token,
    baseUrl: fake.baseUrl,
    models: { 'gpt-image-2': { price } },
    fetch(...request) {
      sentAt.push(runs.clock.now())
      return globalThis.fetch(...request)
    },
  })
}

beforeEach(async () => {
  fake = await openaiFake()
  sentAt = []
  runs = serviceWorld(() => [connect()], { vendor: fake })
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

const create = () => runs.create('gpt-image-2', input)

const error = (status: number, message = 'No.', code: string | null = null): Trouble => ({
  instead: openaiError(status, message, code),
})
const answer = (reply: VendorReply): Trouble => ({ instead: reply })
const images = (data: unknown): Trouble =>
  answer({ json: { created: 1, data, usage: { input_tokens: 12, output_tokens: 1056, total_tokens: 1068 } } })

test.each<[string, string, number, Trouble]>([
  [
    '429 without credit',
    'provider_rejected',
    0,
    error(429, 'You exceeded your quota.', 'insufficient_quota'),
  ],
  ['an account at its limit', 'provider_rejected', 0, error(400, 'Limit.', 'billing_hard_limit_reached')],
  ['a picture at a bad URL', 'input_fetch_failed', 0, error(400, 'No.', 'invalid_image_url')],
  ['an older word for moderation', 'content_policy', 0, error(400, 'No.', 'content_policy_violation')],
  ['a success that is none', 'output_invalid', 0, answer({ json: null })],
  ['a success without a list', 'output_invalid', 0, answer({ json: { created: 1 } })],
])('a submit to OpenAI that is answered with %s fails the job as %s', async (_, code, charges, trouble) => {
  fake.trouble('/images', trouble)
  const job = await runs.finished(await create())
  expect(job).toMatchObject({ phase: 'failed', error: { code }, outputs: [] })
  expect(fake.ledger).toHaveLength(charges)
  expect(fake.requests).toHaveLength(1)
})

test.each<[string, unknown]>([
  ['no image', []],
  ['a null', [null]],
  ['null for bytes', [{ b64_json: null }]],
  ['empty bytes', [{ b64_json: '' }]],
  ['what is no base64', [{ b64_json: '!!!' }]],
  ['a link instead of bytes', [{ url: 'javascript:alert(1)' }]],
])('an OpenAI answer with %s fails the job as output_invalid with its cost', async (_, data) => {
  fake.trouble('/images', images(data))
  const job = await runs.finished(await create())
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' }, costUsd: oneImageUsd })
})

test('an OpenAI job delivers the valid image beside a broken one', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  fake.trouble('/images', images([{ b64_json: null }, { b64_json: png, new_field: 1 }]))
  const job = await runs.finished(await create())
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ contentType: 'image/png' }] })
})

test.each<[string, Record<string, string>, number]>([['milliseconds', { 'retry-after-ms': '2500' }, 2_500]])(
  'a submit to OpenAI that is answered with 429 and a pause in %s is repeated later and paid for once',
  async (_, headers, leastMs) => {
    fake.trouble('/images', {
      instead: { ...openaiError(429, 'Rate limit reached', 'rate_limit_exceeded'), headers },
    })
    const job = await runs.finished(await create())
    expect(job).toMatchObject({ phase: 'completed', costUsd: oneImageUsd })
    expect(sentAt[1]! - sentAt[0]!).toBeGreaterThanOrEqual(leastMs)
    expect(sentAt[1]! - sentAt[0]!).toBeLessThan(leastMs + 120_000)
    expect(fake.ledger).toHaveLength(1)
  },
)

test('a submit that OpenAI answers after four minutes completes, and other jobs do not wait for it', async () => {
  fake.trouble('/images', { after: 'hold' })
  const slow = await create()
  await runs.clock.advance(0)
  await expect.poll(() => fake.requests).toHaveLength(1)
  await runs.clock.advance(15_000)
  expect(await runs.finished(await create())).toMatchObject({ phase: 'completed' })
  await runs.clock.advance(225_000)
  expect(await runs.job(slow)).toMatchObject({ phase: 'submitting' })
  fake.release()
  expect(await runs.finished(slow)).toMatchObject({ phase: 'completed' })
  expect(fake.ledger).toHaveLength(2)
})

test('the openai provider reports a poll as unknown, because its images are made within the submit', async () => {
  const task = { jobId: 'job', model: 'gpt-image-2', input, clientToken: 'token', handle: null }
  const report = await connect().poll(task, { signal: new AbortController().signal })
  expect(report).toMatchObject({ state: 'unknown' })
})
