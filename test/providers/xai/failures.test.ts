import { xaiProvider } from '@genmount/provider-xai'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import type { Trouble } from '../vendor-server.ts'
import { refusedFilm, token, wrongKey, type XaiFake, xaiError, xaiFake } from './xai-fake.ts'

let fake: XaiFake
let runs: ServiceWorld

beforeEach(async () => {
  fake = await xaiFake()
  runs = jobRuns(provider())
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

const provider = () =>
  xaiProvider({
    token,
    baseUrl: fake.baseUrl,
    models: {
      film: { model: 'grok-imagine-video', outputKind: 'video' },
      picture: { model: 'grok-imagine-image', outputKind: 'image' },
    },
  })

const answer = (json: unknown): Trouble => ({ instead: { json } })
const film = async () => runs.finished(await runs.create('film', { prompt: 'a fox' }))
const pictures = async () => runs.finished(await runs.create('picture', { prompt: 'a fox', num_outputs: 2 }))
const png = Buffer.from(fakeFile('image').bytes).toString('base64')
const usage = { cost_in_usd_ticks: 400_000_000 }

test.each<[string, string, number, Trouble]>([
  [
    // xai-org/xai-proto@9700be4 video.proto: FAILED, VideoError
    'a failure',
    'provider_failed: The model is overloaded.',
    0,
    answer({
      status: 'failed',
      error: { code: 'internal_error', message: 'The model is overloaded.' },
      progress: 0,
    }),
  ],
  [
    'a failure without a reason',
    'provider_failed: xAI has failed to make the film, without a reason.',
    0,
    answer({ status: 'failed' }),
  ],
  [
    // The words of a moderated film (vercel/ai#13390) in the newer form of a failure.
    'a failure that is moderation',
    'content_policy: Generated video rejected by content moderation.',
    0.04,
    answer({
      status: 'failed',
      error: { code: 'invalid_argument', message: 'Generated video rejected by content moderation.' },
      usage,
    }),
  ],
  [
    // vercel/ai#13390 (2026-03)
    'moderation that answers the poll with 400, and charges',
    'content_policy: Generated video rejected by content moderation.',
    0.25,
    { instead: refusedFilm },
  ],
  [
    'a 400 to the poll that names a charge',
    'provider_failed: The video could not be encoded.',
    0.04,
    { instead: xaiError(400, 'invalid-argument', 'The video could not be encoded.', usage) },
  ],
  [
    // @ai-sdk/xai 5.0.12 src/xai-video-model.ts, and xai-sdk-python@4dab6a4 src/xai_sdk/video.py
    'a film that moderation withholds',
    'content_policy: xAI has made the film and does not deliver it, by its content policy.',
    0.04,
    answer({ status: 'done', video: { url: '', duration: 6, respect_moderation: false }, usage }),
  ],
  [
    // xai-org/xai-proto@9700be4 deferred.proto: EXPIRED
    'a film that xAI has deleted',
    'provider_lost: xAI does not have the film any more.',
    0,
    answer({ status: 'expired' }),
  ],
])('an xAI film job ends after %s as %s with its cost', async (_what, end, costUsd, trouble) => {
  fake.trouble('/videos/aa87', trouble)
  const job = await film()
  expect(job).toMatchObject({ phase: 'failed', costUsd })
  expect(`${job.error?.code}: ${job.error?.message}`).toBe(end)
  expect(fake.ledger).toHaveLength(1)
})

// Reported by customers: 400 for a film that has just begun, and 400 for a parameter that xAI rejects only later.
const early = xaiError(
  400,
  'invalid-argument',
  'Duration 15s exceeds the maximum allowed for this, which is 10s.',
)

test('an xAI film whose poll is answered with 400 for a moment completes', async () => {
  fake.trouble('/videos/aa87', { instead: early }, { instead: early })
  expect(await film()).toMatchObject({ phase: 'completed', costUsd: 0.3 })
})

test('an xAI film whose poll is always answered with 400 fails the job with the words of xAI', async () => {
  fake.trouble('/videos/aa87', ...Array.from({ length: 50 }, () => ({ instead: early })))
  expect(await film()).toMatchObject({
    phase: 'failed',
    error: {
      code: 'provider_lost',
      message: 'Duration 15s exceeds the maximum allowed for this, which is 10s.',
    },
  })
  expect(fake.ledger).toHaveLength(1)
})

test('an xAI film completes although its polls are refused the key for some time', async () => {
  fake.trouble('/videos/aa87', ...Array.from({ length: 10 }, () => ({ instead: wrongKey })))
  expect(await film()).toMatchObject({ phase: 'completed', costUsd: 0.3 })
})

test('an xAI film is delivered if its answer has no status, or only a link to a stored file', async () => {
  fake.trouble('/videos/aa87', answer({ video: { url: 'https://vidgen.x.ai/a.mp4', duration: 6 } }))
  expect(await film()).toMatchObject({ phase: 'completed', outputs: [{ url: 'https://vidgen.x.ai/a.mp4' }] })
  const file_output = { file_id: 'f', filename: 'a.mp4', public_url: 'https://files.x.ai/a.mp4' }
  fake.trouble('/videos/aa87', answer({ status: 'done', video: { file_output } }))
  expect(await film()).toMatchObject({ phase: 'completed', outputs: [{ url: 'https://files.x.ai/a.mp4' }] })
})

test('an xAI job leaves out images that moderation withholds and delivers the others', async () => {
  const data = [false, true].map((respect_moderation) => ({ b64_json: png, respect_moderation }))
  fake.trouble('/images/', answer({ data, usage }))
  const job = await pictures()
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.04 })
  expect(job.outputs).toHaveLength(1)
})

test('the xai provider reports an unfinished film as running, also if the answer has no body', async () => {
  const { signal } = new AbortController()
  const task = { jobId: 'job', model: 'film', input: { prompt: 'a fox' }, clientToken: 'token' }
  const begun = await provider().submit(task, { signal })
  const handle = begun.state === 'running' ? begun.handle : null
  const poll = () => provider().poll({ ...task, handle }, { signal })
  expect([await poll(), await poll()]).toEqual([
    { state: 'running', handle, progress: undefined },
    { state: 'running', handle, progress: 0.4 },
  ])
  expect(await poll()).toMatchObject({ state: 'succeeded' })
})

test.each<[string, string, number, Trouble]>([
  [
    'images that moderation withholds',
    'content_policy',
    0.04,
    answer({ data: [{ b64_json: null, respect_moderation: false }], usage }),
  ],
  [
    // The body of customers' logs: openai's BadRequestError with usage 200000000
    'images that moderation refuses with 400, and charges',
    'content_policy',
    0.02,
    {
      instead: xaiError(
        400,
        'Client specified an invalid argument',
        'Generated image rejected by content moderation.',
        { cost_in_usd_ticks: 200_000_000 },
      ),
    },
  ],
  ['no image', 'output_invalid', 0.04, answer({ data: [], usage })],
  ['an image that is no base64', 'output_invalid', 0.04, answer({ data: [{ b64_json: '!' }], usage })],
  ['no list', 'output_invalid', 0, answer({ usage: { cost_in_usd_ticks: -1 } })],
])(
  'an xAI image job that is answered with %s fails as %s with its cost',
  async (_what, code, costUsd, trouble) => {
    fake.trouble('/images/', trouble)
    expect(await pictures()).toMatchObject({ phase: 'failed', error: { code }, costUsd })
    expect(fake.requests).toHaveLength(1)
  },
)

test.each(['film', 'picture'])(
  'a job whose prompt xAI refuses fails as content_policy and costs nothing: %s',
  async (model) => {
    const job = await runs.finished(await runs.create(model, { prompt: 'forbidden' }))
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'content_policy' }, costUsd: 0 })
    expect(job.error?.message).toContain('Content violates usage guidelines')
    expect(fake.ledger).toHaveLength(0)
  },
)

test.each([
  ['no id', {}],
  ['an id that is no path', { request_id: '../files' }],
  ['a number', { request_id: 7 }],
])(
  'a submit to xAI that is answered with %s fails as submit_ambiguous and is not repeated',
  async (_what, json) => {
    fake.trouble('/videos/generations', answer(json))
    expect(await film()).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
    expect(fake.requests).toHaveLength(1)
  },
)
