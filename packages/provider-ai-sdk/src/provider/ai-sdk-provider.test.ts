import type { FileFetch, JsonObject } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import type { AiSdkProviderOptions } from './ai-sdk-options.ts'
import { aiSdkProvider } from './ai-sdk-provider.ts'

const png = Uint8Array.from(atob('iVBORw0KGgo='), (character) => character.charCodeAt(0))
const { signal } = new AbortController()

function imageModel(changes: object = {}) {
  const calls: Record<string, unknown>[] = []
  const model = {
    specificationVersion: 'v4',
    provider: 'acme',
    modelId: 'acme-1',
    maxImagesPerCall: 4,
    async doGenerate(options: never) {
      calls.push(options)
      return { images: [png, btoa('picture')] }
    },
    ...changes,
  }
  return { model, calls }
}

const task = (input: JsonObject) => ({
  jobId: 'j',
  model: 'it',
  clientToken: 't',
  input: { num_outputs: 1, ...input },
})

test('aiSdkProvider takes bytes and base64 as outputs, and each costs a unit', async () => {
  const { model, calls } = imageModel()
  const provider = aiSdkProvider({ models: { it: { model, price: 0.1 } } })
  expect(await provider.submit(task({ prompt: 'a fox' }), { signal })).toEqual({
    state: 'succeeded',
    outputs: [{ bytes: png }, { bytes: new TextEncoder().encode('picture') }],
    costUsd: 0.2,
  })
  expect(calls).toMatchObject([{ prompt: 'a fox', n: 1, providerOptions: {} }])
})

test('aiSdkProvider fetches pictures and films with the owner of their task, so that owners take turns', async () => {
  const owners: unknown[] = []
  const fetchFile: FileFetch = async (_url, limits) => {
    owners.push(limits.owner)
    return { body: new Blob([png]).stream() }
  }
  const film = {
    specificationVersion: 'v4',
    provider: 'it',
    modelId: 'it',
    doStart: async () => ({ operation: 1 }),
    doStatus: async () => ({
      status: 'completed',
      videos: [{ type: 'url', url: 'https://a.example/film?key=secret-key', mediaType: 'video/mp4' }],
    }),
  }
  const models = { it: imageModel().model, film: film as never }
  const provider = aiSdkProvider({ models, fetchFile, secrets: ['secret-key'] })
  const owned = { ...task({ image: 'https://a.example/1' }), owner: 'owners-mark' }
  await provider.submit(owned, { signal })
  await provider.poll({ ...owned, model: 'film', handle: { operation: 1 } }, { signal })
  expect(owners).toEqual(['owners-mark', 'owners-mark'])
})

test.each<[string, FileFetch]>([
  [
    'http://a.example is refused.',
    () => Promise.reject(new FetchRefusedError('address', 'http://a.example is refused.')),
  ],
  ['The URL of a picture could not be fetched.', () => Promise.reject(new Error('DNS knows 10.0.0.7'))],
  [
    'The URL of a picture does not lead to a PNG, JPEG, WebP, GIF or AVIF picture.',
    async () => ({ body: new Blob(['<svg>']).stream() }),
  ],
])('a job whose input picture can not be fetched costs nothing: %s', async (message, fetchFile) => {
  const { model, calls } = imageModel()
  const provider = aiSdkProvider({ models: { it: model }, fetchFile })
  expect(await provider.submit(task({ image: 'https://a.example/1' }), { signal })).toEqual({
    state: 'failed',
    code: 'input_fetch_failed',
    message,
  })
  expect(calls).toEqual([])
})

test('aiSdkProvider refuses a picture for a model that takes none, without a call of the model', async () => {
  const { model, calls } = imageModel({ supportsFileInputs: Promise.resolve(false) })
  const provider = aiSdkProvider({ models: { it: model } })
  const image = 'data:image/png;base64,iVBORw0KGgo='
  expect(await provider.submit(task({ image }), { signal })).toMatchObject({ code: 'provider_rejected' })
  expect(calls).toEqual([])
})

test('a film that a model of the AI SDK has uploaded elsewhere is no output', async () => {
  const model = {
    ...imageModel().model,
    maxVideosPerCall: 1,
    doStart: async () => ({ operation: { id: '1' } }),
    doStatus: async () => ({ status: 'completed', videos: [{ type: 'uploaded' }] }),
  }
  const provider = aiSdkProvider({ models: { it: model as never } })
  const started = await provider.submit(task({ prompt: 'a fox' }), { signal })
  expect(started).toEqual({ state: 'running', handle: { id: '1', operation: { id: '1' } } })
  const handle = { operation: { id: '1' } }
  expect(await provider.poll({ ...task({}), handle }, { signal })).toMatchObject({ code: 'output_invalid' })
})

test('the error of a failed download does not show the key in the URL', async () => {
  const url = 'https://films.example/1?key=AIzaSy123456'
  const model = {
    ...imageModel().model,
    maxVideosPerCall: 1,
    doStart: async () => ({ operation: 1 }),
    doStatus: async () => ({ status: 'completed', videos: [{ type: 'url', url }] }),
  }
  const fetchFile = () => Promise.reject(new Error(`GET ${url} failed`))
  const provider = aiSdkProvider({ models: { it: model as never }, fetchFile })
  const polled = provider.poll({ ...task({}), handle: { operation: 1 } }, { signal })
  await expect(polled).rejects.toThrow('key=[secret] failed')
})

const { model } = imageModel()

test.each<[string, unknown]>([
  ['models', {}],
  ['models', { models: null }],
  ['models[0].id', { models: [model] }],
  ['models', { models: {} }],
  ["models['it']", { models: { it: 'openai/gpt-image-1' } }],
  ["models['it'].model", { models: { it: undefined } }],
  ["models['it'].model", { models: { it: { model: { modelId: 'a', doGenerate() {} } } } }],
  ["models['it'].model", { models: { it: { modelId: 'a', doGenerate() {} } } }],
  ["models['it'].price", { models: { it: { model, price: -1 } } }],
  ["models['it'].units", { models: { it: { model, units: 3 } } }],
  ["models['it'].maxOutputs", { models: { it: { model, maxOutputs: 0 } } }],
  ['callTimeoutMs', { models: { it: model }, callTimeoutMs: 0 }],
  ['maxOutputBytes', { models: { it: model }, maxOutputBytes: 1.5 }],
  ['fetchFile', { models: { it: model }, fetchFile: 'fetch' }],
  ['secrets[0]', { models: { it: model }, secrets: [''] }],
])('a wrong %s is told at once', (name, options) => {
  expect(() => aiSdkProvider(options as AiSdkProviderOptions)).toThrow(TypeError)
  expect(() => aiSdkProvider(options as AiSdkProviderOptions)).toThrow(`${name} must`)
})
