import { arkProvider } from '@genmount/provider-ark'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import type { Trouble } from '../vendor-server.ts'
import { arkError, type ArkFake, arkFake, token } from './ark-fake.ts'

let fake: ArkFake
let runs: ServiceWorld

beforeEach(async () => {
  fake = await arkFake()
  runs = jobRuns(provider())
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

const provider = () =>
  arkProvider({
    token,
    baseUrl: fake.baseUrl,
    models: {
      film: { model: 'seedance-1-5-pro-251215', outputKind: 'video', price: 2.4 },
      picture: { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
    },
  })

const answer = (json: unknown): Trouble => ({ instead: { json } })
const film = async (prompt = 'a fox') => runs.finished(await runs.create('film', { prompt }))
const picture = async () => runs.finished(await runs.create('picture', { prompt: 'a fox' }))
const png = Buffer.from(fakeFile('image').bytes).toString('base64')

test.each<[string, string, Trouble]>([
  [
    // vercel/ai@ed857f5 packages/bytedance/src/bytedance-video-model.test.ts
    'a failure',
    'provider_failed: The service encountered an unexpected internal error.',
    answer({
      status: 'failed',
      error: {
        code: 'InternalServiceError',
        message: 'The service encountered an unexpected internal error.',
      },
    }),
  ],
  [
    'a failure without a reason',
    'provider_failed: ModelArk has failed to make the film without a reason.',
    answer({ status: 'failed' }),
  ],
  [
    // The code and words that customers quote (2026-08)
    'a film that moderation withholds',
    'content_policy: The request failed because the output video may be related to copyright restrictions.',
    answer({
      status: 'failed',
      error: {
        code: 'OutputVideoSensitiveContentDetected.PolicyViolation',
        message: 'The request failed because the output video may be related to copyright restrictions.',
      },
    }),
  ],
  [
    // docs.byteplus.com/en/docs/ModelArk/1521309
    'a task that took too long',
    'provider_failed: ModelArk has given the task up, because it took too long.',
    answer({ status: 'expired' }),
  ],
  [
    'a task that was canceled in the console',
    'provider_failed: The task was canceled at ModelArk before it began.',
    answer({ status: 'cancelled' }),
  ],
])('a ModelArk job ends after %s as %s and costs nothing', async (_what, end, trouble) => {
  fake.trouble('/tasks/cgt', trouble)
  const job = await film()
  expect(job).toMatchObject({ phase: 'failed', costUsd: 0 })
  expect(`${job.error?.code}: ${job.error?.message}`).toBe(end)
  expect(fake.ledger).toHaveLength(1)
})

test('a ModelArk film whose answer counts no tokens is delivered without a known cost', async () => {
  fake.trouble(
    '/tasks/cgt',
    answer({ status: 'succeeded', content: { video_url: 'https://files.example/a.mp4' } }),
  )
  expect(await film()).toMatchObject({
    phase: 'completed',
    outputs: [{ url: 'https://files.example/a.mp4' }],
  })
})

test.each<[string, string, number, Trouble]>([
  [
    // The codes: volcengine.com/docs/82379/1299023
    'an image that moderation refuses',
    'content_policy',
    0,
    {
      instead: arkError(
        400,
        'OutputImageSensitiveContentDetected',
        'The output image may contain sensitive information.',
      ),
    },
  ],
  [
    'a picture that moderation refuses',
    'content_policy',
    0,
    {
      instead: arkError(
        400,
        'InputImageSensitiveContentDetected.PrivacyInformation',
        'May contain real person.',
      ),
    },
  ],
  [
    // docs.byteplus.com/en/docs/ModelArk/1541523: each image of a series may fail on its own
    'a series of which every image is refused',
    'content_policy',
    0,
    answer({
      data: [{ error: { code: 'OutputImageSensitiveContentDetected', message: 'No.' } }],
      usage: { generated_images: 0 },
    }),
  ],
  [
    'an answer that is an error',
    'provider_failed',
    0,
    answer({
      data: [],
      error: { code: 'InternalServiceError', message: 'No.' },
      usage: { generated_images: 0 },
    }),
  ],
  ['no image', 'output_invalid', 0.04, answer({ data: [], usage: { generated_images: 1 } })],
  [
    'an image that is no base64',
    'output_invalid',
    0.04,
    answer({ data: [{ b64_json: '!' }], usage: { generated_images: 1 } }),
  ],
])(
  'a ModelArk image job that is answered with %s fails as %s with its cost',
  async (_what, code, costUsd, trouble) => {
    fake.trouble('/images/', trouble)
    expect(await picture()).toMatchObject({ phase: 'failed', error: { code }, costUsd })
    expect(fake.requests).toHaveLength(1)
  },
)

test('a ModelArk job delivers the other images when one has failed, which costs nothing', async () => {
  const data = [{ error: { code: 'OutputImageSensitiveContentDetected', message: 'No.' } }, { b64_json: png }]
  fake.trouble('/images/', answer({ data, usage: { generated_images: 1 } }))
  const job = await picture()
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.04 })
  expect(job.outputs).toHaveLength(1)
})

test('a job whose prompt ModelArk refuses fails as content_policy and costs nothing', async () => {
  const job = await film('forbidden')
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'content_policy' }, costUsd: 0 })
  expect(job.error?.message).toContain('may contain sensitive information')
  expect(fake.ledger).toHaveLength(0)
})

test.each([
  ['no id', {}],
  ['an id that is no path', { id: '../files' }],
])(
  'a submit to ModelArk that is answered with %s fails as submit_ambiguous and is not repeated',
  async (_what, json) => {
    fake.trouble('/generations/tasks', answer(json))
    expect(await film()).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
    expect(fake.requests).toHaveLength(1)
  },
)

const { signal } = new AbortController()
const task = { jobId: 'job', model: 'film', input: { prompt: 'a fox' }, clientToken: 'token' }

async function begun() {
  const report = await provider().submit(task, { signal })
  if (report.state !== 'running') throw new Error('The film has not begun.')
  const running = { ...task, handle: report.handle }
  return {
    cancel: () => provider().cancel!(running, { signal }),
    poll: () => provider().poll(running, { signal }),
    methods: () => fake.requests.slice(1).map(({ method }) => method),
  }
}

test('cancelling a job cancels a film that waits in the queue of ModelArk', async () => {
  await fake.close()
  fake = await arkFake({ queued: 10 })
  const { cancel, poll, methods } = await begun()
  await cancel()
  expect(methods()).toEqual(['GET', 'DELETE'])
  expect(await poll()).toMatchObject({ state: 'failed', code: 'provider_failed' })
  await cancel()
  expect(methods().filter((method) => method === 'DELETE')).toHaveLength(1)
})

test('cancelling a job does not delete a film that ModelArk is making or has made', async () => {
  const { cancel, poll, methods } = await begun()
  fake.begin()
  await cancel()
  await cancel()
  expect(methods()).toEqual(['GET', 'GET'])
  expect(await poll()).toMatchObject({ state: 'succeeded', costUsd: 0.26136 })
  await cancel()
  expect(await poll()).toMatchObject({ state: 'succeeded' })
})

test('a ModelArk film that begins while its job is canceled goes on', async () => {
  const { cancel, poll } = await begun()
  fake.trouble('/tasks/cgt', answer({ status: 'queued' }))
  fake.begin()
  await cancel()
  expect(await poll()).toMatchObject({ state: 'running' })
})

test('the cancel of the ark provider rejects when ModelArk answers with 503', async () => {
  const { cancel } = await begun()
  fake.trouble('/tasks/cgt', { instead: { status: 503 } })
  await expect(cancel()).rejects.toThrow('ModelArk answered a cancellation with status 503.')
})
