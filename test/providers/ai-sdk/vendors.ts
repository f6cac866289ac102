import { createAlibaba } from '@ai-sdk/alibaba'
import { createBlackForestLabs } from '@ai-sdk/black-forest-labs'
import { createFal } from '@ai-sdk/fal'
import { createGoogle } from '@ai-sdk/google'
import { createLuma } from '@ai-sdk/luma'
import { createMiniMax } from '@ai-sdk/minimax'
import { createOpenAI } from '@ai-sdk/openai'
import { createReplicate } from '@ai-sdk/replicate'
import { createXai } from '@ai-sdk/xai'
import { type AiSdkModel, vendorFetch } from '@genmount/provider-ai-sdk'
import { bflHosts, bflKey, readyTask, startBfl } from '../bfl/bfl-fake.ts'
import { falHosts, falKey, startFal } from '../fal/fal-fake.ts'
import { googleFake, token as googleKey } from '../google/google-fake.ts'
import { veoWords } from '../google/veo-words.ts'
import { openaiFake } from '../openai/openai-fake.ts'
import { openaiWords, token as openaiKey } from '../openai/openai-words.ts'
import { replicateHosts, startReplicate, token as replicateKey } from '../replicate/fake-replicate.ts'
import type { VendorFake } from '../vendor-case.ts'
import { fetchAt } from '../vendor-server.ts'
import { finishedFilm, token as xaiKey, xaiFake } from '../xai/xai-fake.ts'
import { alibabaFake, alibabaFilm, alibabaHosts, alibabaKey } from './alibaba-fake.ts'
import { lumaFake, lumaKey } from './luma-fake.ts'
import { minimaxFake, minimaxFilm, minimaxHosts, minimaxKey } from './minimax-fake.ts'

/** A vendor, as a package of the AI SDK reaches it. */
export interface SdkVendor {
  /** @param isSlow whether a task may take longer than the vendor holds the request that starts it. @default true */
  readonly fake: (options?: { readonly isSlow: boolean }) => Promise<VendorFake>
  readonly secret: string
  /** The vendor's own names of models. Ours end with the kind of the output. */
  readonly models: Readonly<Record<string, string>>
  /** The path of the API. @default /v1 */
  readonly path?: string
  /** The real AI SDK package, as in a process that has just started. */
  sdk(settings: { apiKey: string; baseURL: string; fetch: typeof globalThis.fetch }): {
    image(id: string): AiSdkModel
    video?(id: string): AiSdkModel
  }
  /** The format of an error. */
  error(words: string): unknown
  /** The answer to a poll of a finished film at this URL. */
  film?(url: unknown): unknown
}

/** The formats of the answers are those of vercel/ai packages/…/src/*.test.ts, …-error.ts. */
export const vendors = {
  replicate: {
    fake: ({ isSlow } = { isSlow: true }) => startReplicate({ isSlow }),
    secret: replicateKey,
    models: { 'replicate-video': 'acme/film', 'replicate-image': 'acme/painter' },
    sdk: ({ apiKey: apiToken, ...settings }) => createReplicate({ apiToken, ...settings }),
    error: (detail) => ({ detail }),
    film: (output) => ({ id: 'p', status: 'succeeded', output, urls: { get: 'https://x.test' } }),
  },
  fal: {
    fake: () => startFal(),
    secret: falKey,
    models: { 'fal-video': 'fal-ai/veo3', 'fal-image': 'fal-ai/flux/schnell' },
    sdk: ({ apiKey, fetch }) => createFal({ apiKey, fetch }),
    error: (msg) => ({ detail: [{ loc: ['body', 'prompt'], msg, type: 'value_error' }] }),
    film: (url) => ({ video: url == null ? null : { url, content_type: 'video/mp4', file_size: 9 } }),
  },
  google: {
    fake: () => googleFake(),
    secret: googleKey,
    models: { 'google-video': 'veo-3.1-generate-preview', 'google-image': 'gemini-2.5-flash-image' },
    path: '/v1beta',
    sdk: createGoogle,
    error: veoWords.error,
    film: (uri) => veoWords.ended(uri || undefined).json(),
  },
  openai: {
    fake: () => openaiFake(),
    secret: openaiKey,
    models: { 'openai-image': 'gpt-image-2' },
    sdk: createOpenAI,
    error: openaiWords.error,
  },
  xai: {
    fake: () => xaiFake(),
    secret: xaiKey,
    models: { 'xai-video': 'grok-imagine-video', 'xai-image': 'grok-imagine-image' },
    sdk: createXai,
    error: (error) => ({ code: 'invalid-argument', error }),
    film: (url) => ({ ...finishedFilm(6), video: { url, duration: 6, respect_moderation: true } }),
  },
  'black-forest-labs': {
    fake: () => startBfl(),
    secret: bflKey,
    models: { 'bfl-video': 'flux-3-video', 'bfl-image': 'flux-kontext-pro' },
    sdk: (settings) => createBlackForestLabs({ ...settings, pollIntervalMillis: 20 }),
    error: (detail) => ({ detail }),
    film: readyTask,
  },
  minimax: {
    fake: minimaxFake,
    secret: minimaxKey,
    models: { 'minimax-video': 'MiniMax-H3' },
    path: '',
    sdk({ baseURL: videoBaseURL, ...settings }) {
      const { imageModel, video } = createMiniMax({ ...settings, videoBaseURL })
      return { image: imageModel, video }
    },
    error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    film: minimaxFilm,
  },
  alibaba: {
    fake: alibabaFake,
    secret: alibabaKey,
    models: { 'wan-video': 'wan3.0-video' },
    path: '',
    sdk({ baseURL: videoBaseURL, ...settings }) {
      const { imageModel, video } = createAlibaba({ ...settings, videoBaseURL })
      return { image: imageModel, video }
    },
    error: (message) => ({ code: 'InvalidParameter', message, request_id: 'r' }),
    film: alibabaFilm,
  },
  luma: {
    fake: lumaFake,
    secret: lumaKey,
    models: { 'luma-image': 'photon-1' },
    path: '',
    sdk: createLuma,
    // vercel/ai packages/luma/src/luma-image-model.ts lumaErrorSchema
    error: (msg) => ({ detail: [{ type: 'value_error', loc: ['body', 'prompt'], msg, input: 'x' }] }),
  },
} satisfies Record<string, SdkVendor>

const hosts = [...falHosts, ...replicateHosts, ...bflHosts, ...minimaxHosts, ...alibabaHosts]

/** New models of the vendor, by our names. */
export function modelsAt(
  { secret, sdk, models, path = '/v1' }: SdkVendor,
  origin: string,
  fetch = fetchAt(origin, hosts),
): Readonly<Record<string, AiSdkModel>> {
  const { image, video } = sdk({ apiKey: secret, baseURL: origin + path, fetch: vendorFetch(fetch) })
  return Object.fromEntries(
    Object.entries(models).map(([name, id]) => [name, (name.endsWith('-video') ? video! : image)(id)]),
  )
}

const all: readonly SdkVendor[] = Object.values(vendors)
const models = all.flatMap((vendor) => Object.keys(vendor.models))

export const vendorOf = (model: string): SdkVendor => all.find((vendor) => model in vendor.models)!

/** The models whose tasks outlive the process that started them. */
export const durable = models.filter((model) => model.endsWith('-video'))

/** The models that make their output within one call. */
export const blocking = models.filter((model) => model.endsWith('-image'))
