import { createFal } from '@ai-sdk/fal'
import { createOpenAI } from '@ai-sdk/openai'
import type { ProviderTask } from '@genmount/core'
import { type AiSdkModelOptions, aiSdkProvider } from '@genmount/provider-ai-sdk'
import { fakeFile, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'

// The `warnings` by which packages of the AI SDK report settings that they do not pass on.

const call = { signal: new AbortController().signal }
const png = Buffer.from(fakeFile('image').bytes).toString('base64')
const picture = `data:image/png;base64,${png}`

function providerWith(options: Partial<AiSdkModelOptions> = {}) {
  const sent: string[] = []
  const log = quietLog()
  const answering = (body: object) => async (_url: unknown, init?: RequestInit) => {
    sent.push(String(init?.body ?? ''))
    return Response.json(body)
  }
  const openai = createOpenAI({
    apiKey: 'sk-1',
    fetch: answering({ created: 1, data: [{ b64_json: png }], output_format: 'png' }) as typeof fetch,
  })
  const provider = aiSdkProvider({
    models: { gpt: { model: openai.image('gpt-image-2'), price: 0.04, ...options } },
    log,
  })
  const submit = (input: object) =>
    provider.submit(
      {
        jobId: 'j',
        model: 'gpt',
        clientToken: 't',
        input: { num_outputs: 1, prompt: 'a fox', ...input },
      } as ProviderTask,
      call,
    )
  return { submit, sent, log }
}

// @ai-sdk/openai dist/index.js, OpenAIImageModel.doGenerate: aspectRatio and seed are `unsupported`.
test('each warning of an AI SDK model is logged once for each model and kind, and the job completes', async () => {
  const { submit, log } = providerWith()
  for (let index = 0; index < 3; index++)
    expect(await submit({ aspect_ratio: '16:9', seed: index })).toMatchObject({ state: 'succeeded' })
  expect(log.warnings).toEqual([
    'Model gpt (openai.image gpt-image-2) says: aspectRatio is not supported. This model does not support aspect ratio. Use `size` instead.',
    'Model gpt (openai.image gpt-image-2) says: seed is not supported.',
  ])
  expect(log.fields).toEqual([
    { model: 'gpt', provider: 'ai-sdk' },
    { model: 'gpt', provider: 'ai-sdk' },
  ])
})

test('with onWarning refuse, a warning fails the job with its cost, and the next such job before it costs anything', async () => {
  const { submit, sent } = providerWith({ onWarning: 'refuse' })
  const message =
    'The model does not do all that was asked for: aspectRatio is not supported. This model does not support aspect ratio. Use `size` instead.'
  const refusal = { state: 'failed', code: 'provider_rejected', message }
  expect(await submit({ aspect_ratio: '16:9' })).toMatchObject({ ...refusal, costUsd: 0.04 })
  expect(await submit({ aspect_ratio: '16:9', prompt: 'a cat' })).toEqual({ ...refusal, costUsd: 0 })
  expect(sent).toHaveLength(1)
  expect(await submit({ size: '1024x1024' })).toMatchObject({ state: 'succeeded' })
  expect(await submit({})).toMatchObject({ state: 'succeeded' })
})

// @ai-sdk/fal dist/index.js, FalImageModel: a second picture is dropped with a warning of the type `other`.
test('a warning of an AI SDK model about a dropped input is logged too', async () => {
  const log = quietLog()
  const fal = createFal({
    apiKey: 'k',
    fetch: (async (url: unknown) =>
      String(url).includes('fal.run')
        ? Response.json({ images: [{ url: 'https://v3.fal.media/1.png', content_type: 'image/png' }] })
        : new Response(Buffer.from(png, 'base64'))) as typeof fetch,
  })
  const provider = aiSdkProvider({ models: { edit: { model: fal.image('fal-ai/flux-2/edit') } }, log })
  const input = { prompt: 'a fox', num_outputs: 1, image: [picture, picture] }
  await provider.submit({ jobId: 'j', model: 'edit', clientToken: 't', input }, call)
  expect(log.warnings[0]).toContain('Only the first image will be used.')
})

const film = { prompt: 'a fox', num_outputs: 1, aspect_ratio: '9:16' }
const warnings = [{ type: 'unsupported', feature: 'aspectRatio' }]

test('with onWarning refuse, a video job whose submit warned fails with its cost when the task has ended', async () => {
  let starts = 0
  const model = {
    specificationVersion: 'v4',
    provider: 'acme',
    modelId: 'acme-film',
    maxVideosPerCall: 1,
    async doStart() {
      starts++
      return { operation: { id: '1' }, warnings }
    },
    doStatus: async () => ({
      status: 'completed',
      videos: [{ type: 'url', url: 'https://files.example/1.mp4', mediaType: 'video/mp4' }],
    }),
  }
  const models = { it: { model, price: 0.5, onWarning: 'refuse' as const } }
  const provider = aiSdkProvider({ models, log: quietLog() })
  const task = { jobId: 'j', model: 'it', clientToken: 't', input: film }
  const begun = await provider.submit(task, call)
  if (begun.state !== 'running') throw new Error(begun.state)
  const again = aiSdkProvider({ models, log: quietLog() })
  expect(await again.poll({ ...task, handle: begun.handle }, call)).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: 'The model does not do all that was asked for: aspectRatio is not supported.',
    costUsd: 0.5,
  })
  expect(await provider.submit(task, call)).toMatchObject({ state: 'failed', code: 'provider_rejected' })
  expect(starts).toBe(1)
})

test('an AI SDK model without warnings, or with nonsense in their place, completes its jobs', async () => {
  for (const given of [undefined, null, 'text', [null, 7, {}]]) {
    const model = {
      specificationVersion: 'v4',
      provider: 'acme',
      modelId: 'acme-1',
      maxImagesPerCall: 1,
      doGenerate: async () => ({ images: [png], warnings: given }),
    }
    const provider = aiSdkProvider({
      models: { it: { model, onWarning: 'refuse' } } as never,
      log: quietLog(),
    })
    const task = { jobId: 'j', model: 'it', clientToken: 't', input: { prompt: 'a fox', num_outputs: 1 } }
    expect(await provider.submit(task, call)).toMatchObject({ state: 'succeeded' })
  }
})
