import type { Price, ProviderReport } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { type AiSdkModelOptions, aiSdkProvider, type CountedResult } from '@genmount/provider-ai-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { always, type Trouble } from '../vendor-server.ts'
import { alibabaTask } from './alibaba-fake.ts'
import { minimaxTask } from './minimax-fake.ts'
import { isFor, type SdkStep, sdkWorld } from './sdk-world.ts'
import { modelsAt, vendorOf, vendors } from './vendors.ts'

async function ended(model: string, [step, trouble]: readonly [SdkStep, Trouble]) {
  const { vendor, create, finished } = await sdkWorld(model)
  vendor.trouble(isFor(step), trouble)
  return finished(await create())
}

const poll = (json: unknown, status = 200) => ['poll', always({ instead: { json, status } })] as const
const submit = (json: unknown, status = 200) => ['submit', { after: () => ({ json, status }) }] as const
const prediction = { id: 'p', output: null, urls: { get: 'https://x.test' } }

test.each<[string, string, string, readonly [SdkStep, Trouble]]>([
  // [docs: VAI:packages/openai/src/image; jeffstric/ZJT#480]
  [
    'content_policy',
    'openai-image',
    'a prompt that moderation blocks',
    submit(
      {
        error: {
          message: 'Your request was rejected. safety_violations=[violence].',
          type: 'image_generation_user_error',
          param: null,
          code: 'moderation_blocked',
        },
      },
      400,
    ),
  ],
  [
    'content_policy',
    'google-image',
    'a picture that is withheld',
    // [js-genai:src/types.ts FinishReason]
    submit({ candidates: [{ content: { parts: [] }, finishReason: 'IMAGE_SAFETY', index: 0 }] }),
  ],
  [
    'output_invalid',
    'google-image',
    'an answer in words',
    submit({ candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP', index: 0 }] }),
  ],
  [
    'content_policy',
    'xai-image',
    'a picture that moderation takes back',
    submit({ data: [{ b64_json: '', respect_moderation: false }] }),
  ],
  [
    'content_policy',
    'xai-video',
    'a film that moderation takes back',
    poll({ status: 'done', video: { url: null, respect_moderation: false } }),
  ],
  [
    'provider_failed',
    'xai-video',
    'a film that failed',
    poll({ status: 'failed', error: { code: 'internal', message: 'The GPU is on fire.' } }),
  ],
  [
    'content_policy',
    'replicate-video',
    'a film that is not safe for work',
    poll({ ...prediction, status: 'failed', error: 'NSFW content detected. Try another prompt.' }),
  ],
  [
    'provider_failed',
    'replicate-video',
    'a film that failed',
    poll({ ...prediction, status: 'failed', error: 'CUDA out of memory' }),
  ],
  [
    'provider_failed',
    'replicate-image',
    'a picture that failed',
    poll({ ...prediction, status: 'failed', error: 'CUDA out of memory' }),
  ],
  [
    'provider_failed',
    'google-video',
    'a film that failed',
    poll({ name: 'models/veo-3/operations/1', done: true, error: { code: 13, message: 'Internal.' } }),
  ],
  [
    'content_policy',
    'bfl-video',
    'a film that moderation blocks',
    poll({ id: 'b', status: 'Content Moderated', result: null, details: { 'Moderation Reasons': ['x'] } }),
  ],
  [
    'content_policy',
    'minimax-video',
    'a film that moderation blocks',
    // The code and its words: platform.minimax.io, error codes
    poll(minimaxTask({ status: 'failed', error: { code: 1026, message: 'input new_sensitive' } })),
  ],
  [
    'provider_failed',
    'minimax-video',
    'a film that has expired in the queue',
    poll(minimaxTask({ status: 'expired' })),
  ],
  [
    'content_policy',
    'wan-video',
    'a film that moderation blocks',
    // alibabacloud.com/help/en/model-studio/error-code
    poll(
      alibabaTask({
        task_status: 'FAILED',
        code: 'DataInspectionFailed',
        message: 'Output data may contain inappropriate content.',
      }),
    ),
  ],
  [
    'provider_failed',
    'wan-video',
    'a film that failed',
    poll(alibabaTask({ task_status: 'FAILED', code: 'InternalError', message: 'Algorithm process error.' })),
  ],
  [
    'provider_failed',
    'luma-image',
    'a picture that failed',
    poll({ id: 'l', state: 'failed', assets: null }),
  ],
  // [docs: model-apis/errors] The result of a failed request is the model's own error.
  [
    'provider_failed',
    'fal-video',
    'a film that the model rejects',
    poll({ detail: [{ loc: ['body', 'prompt'], msg: 'bad', type: 'value_error' }] }, 422),
  ],
  ['provider_failed', 'fal-video', 'a film whose model broke down', poll({ detail: 'Oops.' }, 500)],
])('a job of the AI SDK fails as %s when %s answers with %s', async (code, model, _what, trouble) => {
  const job = await ended(model, trouble)
  expect([job.phase, job.error?.code]).toEqual(['failed', code])
  expect(job.error?.message).toMatch(/^.{10,300}$/)
})

test('a film whose URL needs our key is stored as bytes, and its URL is stored nowhere', async () => {
  const { create, finished, job } = await sdkWorld('google-video')
  const { id, outputs } = await finished(await create())
  expect(outputs).toEqual([
    { fileKey: expect.any(String), contentType: 'video/mp4', bytes: expect.any(Number) },
  ])
  expect(JSON.stringify(await job(id))).not.toContain('/files/')
})

test('the download of a film whose URL needs our key is repeated when it breaks off', async () => {
  const job = await ended('google-video', ['file', { instead: 'reset', times: 2 }])
  expect([job.phase, job.outputs.length]).toEqual(['completed', 1])
})

test('a job fails at once when its film has a URL that needs our key and may not be fetched', async () => {
  const { create, finished } = await sdkWorld('google-video', { fetchFile: guardedFetch })
  const { phase, error } = await finished(await create())
  expect([phase, error?.code]).toEqual(['failed', 'output_invalid'])
  expect(error?.message).toMatch(/cannot be fetched/)
  expect(error?.message).not.toContain(vendors.google.secret)
})

test('the cost of an AI SDK job is computed from the units that the vendor reports', async () => {
  const costOfOne = async (
    model: string,
    options: Omit<AiSdkModelOptions, 'model' | 'price'>,
    price: Price,
  ) => {
    const sdkVendor = vendorOf(model)
    const vendor = await sdkVendor.fake()
    onTestFinished(() => vendor.close())
    const provider = aiSdkProvider({
      models: { it: { model: modelsAt(sdkVendor, vendor.origin)[model]!, price, ...options } },
    })
    const task = {
      jobId: 'j',
      clientToken: 't',
      model: 'it',
      input: { prompt: 'a fox', num_outputs: 1, size: '1024x1024' },
    }
    const { signal } = new AbortController()
    let report: ProviderReport = await provider.submit(task, { signal })
    while (report.state === 'running')
      report = await provider.poll({ ...task, handle: report.handle }, { signal })
    return 'costUsd' in report ? report.costUsd : undefined
  }
  expect(await costOfOne('openai-image', {}, 0.04)).toBe(0.04)
  expect(await costOfOne('openai-image', {}, { by: 'size', usd: { '1024x1024': 0.07 } })).toBe(0.07)
  const tokens = ({ usage }: CountedResult) => usage.outputTokens / 1e6
  expect(await costOfOne('openai-image', { units: tokens }, 40)).toBe(0.04224)
  const seconds = ({ providerMetadata }: CountedResult) => providerMetadata.replicate.metrics.predict_time
  expect(await costOfOne('replicate-video', { units: seconds }, 0.1)).toBe(0.448454)
  const ticks = ({ providerMetadata }: CountedResult) => providerMetadata.xai.costInUsdTicks
  expect(await costOfOne('xai-video', { units: ticks }, 1e-10)).toBe(0.3)
  const broken = () => {
    throw new Error('A price list must not cost a job.')
  }
  expect(await costOfOne('xai-video', { units: broken }, 1)).toBe(undefined)
})
