import { createBlackForestLabs } from '@ai-sdk/black-forest-labs'
import { createFal } from '@ai-sdk/fal'
import { createGoogle } from '@ai-sdk/google'
import { createLuma } from '@ai-sdk/luma'
import { createOpenAI } from '@ai-sdk/openai'
import { createReplicate } from '@ai-sdk/replicate'
import { createXai } from '@ai-sdk/xai'
import { type AiSdkModel, vendorFetch } from '@genmount/provider-ai-sdk'
import { bflHosts, bflKey, readyTask, startBfl } from '../bfl/bfl-fake.ts'
import { falHosts, falKey, startFal } from '../fal/fal-fake.ts'
import { googleFake, token as googleKey } from '../google/google-fake.ts'
import { veoWords } from '../google/veo-words.ts'
import { token as openaiKey } from '../openai/openai-errors.ts'
import { openaiFake } from '../openai/openai-fake.ts'
import { openaiWords } from '../openai/openai-words.ts'
import { replicateHosts, startReplicate, token as replicateKey } from '../replicate/fake-replicate.ts'
import type { VendorFake } from '../vendor-case.ts'
import { fetchAt, type VendorServer } from '../vendor-server.ts'
import { finishedFilm, token as xaiKey, xaiFake } from '../xai/xai-fake.ts'
import { lumaFake, lumaKey } from './luma-fake.ts'

/** A vendor, as a package of the AI SDK reaches it. */
export interface SdkVendor {
  /** @param isSlow whether a task may take longer than the vendor holds the request that starts it. @default true */
  readonly fake: (options?: { readonly isSlow: boolean }) => Promise<VendorFake & VendorServer>
  readonly secret: string
  /** New models of the real AI SDK package, as in a process that has just started. */
  modelsAt(origin: string, fetch?: typeof globalThis.fetch): Readonly<Record<string, AiSdkModel>>
  /** The format of an error. */
  error(words: string): unknown
  /** The answer to a poll of a finished film at this URL. */
  film?(url: unknown): unknown
}

const hosts = [...falHosts, ...replicateHosts, ...bflHosts]

/** Makes the `modelsAt` of a vendor. */
const by =
  (
    make: (origin: string, fetch: typeof globalThis.fetch) => Record<string, AiSdkModel>,
  ): SdkVendor['modelsAt'] =>
  (origin, fetch = fetchAt(origin, hosts)) =>
    make(origin, vendorFetch(fetch))

/** The formats of the answers are those of vercel/ai packages/…/src/*.test.ts, …-error.ts. */
export const vendors = {
  replicate: {
    fake: ({ isSlow } = { isSlow: true }) => startReplicate({ isSlow }),
    secret: replicateKey,
    modelsAt: by((origin, fetch) => {
      const sdk = createReplicate({ apiToken: replicateKey, baseURL: `${origin}/v1`, fetch })
      return { 'replicate-video': sdk.video('acme/film'), 'replicate-image': sdk.image('acme/painter') }
    }),
    error: (detail) => ({ detail }),
    film: (output) => ({
      id: 'p',
      status: 'succeeded',
      output,
      error: null,
      urls: { get: 'https://x.test' },
    }),
  },
  fal: {
    fake: () => startFal(),
    secret: falKey,
    modelsAt: by((_origin, fetch) => {
      const sdk = createFal({ apiKey: falKey, fetch })
      return { 'fal-video': sdk.video('fal-ai/veo3'), 'fal-image': sdk.image('fal-ai/flux/schnell') }
    }),
    error: (msg) => ({ detail: [{ loc: ['body', 'prompt'], msg, type: 'value_error' }] }),
    film: (url) => ({ video: url == null ? null : { url, content_type: 'video/mp4', file_size: 9 } }),
  },
  google: {
    fake: () => googleFake(),
    secret: googleKey,
    modelsAt: by((origin, fetch) => {
      const sdk = createGoogle({ apiKey: googleKey, baseURL: `${origin}/v1beta`, fetch })
      return {
        'google-video': sdk.video('veo-3.1-generate-preview'),
        'google-image': sdk.image('gemini-2.5-flash-image'),
      }
    }),
    error: veoWords.error,
    film: (uri) => veoWords.ended(uri || undefined).json(),
  },
  openai: {
    fake: () => openaiFake(),
    secret: openaiKey,
    modelsAt: by((origin, fetch) => {
      const sdk = createOpenAI({ apiKey: openaiKey, baseURL: `${origin}/v1`, fetch })
      return { 'openai-image': sdk.image('gpt-image-2') }
    }),
    error: openaiWords.error,
  },
  xai: {
    fake: () => xaiFake(),
    secret: xaiKey,
    modelsAt: by((origin, fetch) => {
      const sdk = createXai({ apiKey: xaiKey, baseURL: `${origin}/v1`, fetch })
      return { 'xai-video': sdk.video('grok-imagine-video'), 'xai-image': sdk.image('grok-imagine-image') }
    }),
    error: (error) => ({ code: 'invalid-argument', error }),
    film: (url) => ({ ...finishedFilm(6), video: { url, duration: 6, respect_moderation: true } }),
  },
  'black-forest-labs': {
    fake: () => startBfl(),
    secret: bflKey,
    modelsAt: by((origin, fetch) => {
      const settings = { apiKey: bflKey, baseURL: `${origin}/v1`, pollIntervalMillis: 20, fetch }
      const sdk = createBlackForestLabs(settings)
      return { 'bfl-video': sdk.video('flux-3-video'), 'bfl-image': sdk.image('flux-pro-1.1') }
    }),
    error: (detail) => ({ detail }),
    film: readyTask,
  },
  luma: {
    fake: lumaFake,
    secret: lumaKey,
    modelsAt: by((baseURL, fetch) => ({
      'luma-image': createLuma({ apiKey: lumaKey, baseURL, fetch }).image('photon-1'),
    })),
    // vercel/ai packages/luma/src/luma-image-model.ts lumaErrorSchema
    error: (msg) => ({ detail: [{ type: 'value_error', loc: ['body', 'prompt'], msg, input: 'x' }] }),
  },
} satisfies Record<string, SdkVendor>

export function vendorOf(model: string): SdkVendor {
  const all: SdkVendor[] = Object.values(vendors)
  const vendor = all.find(({ modelsAt }) => model in modelsAt('http://127.0.0.1'))
  if (vendor) return vendor
  throw new Error(`No vendor has ${model}.`)
}

const models = Object.values<SdkVendor>(vendors).flatMap(({ modelsAt }) =>
  Object.keys(modelsAt('http://127.0.0.1')),
)

/** The models whose tasks outlive the process that started them. */
export const durable = models.filter((model) => model.endsWith('-video'))

/** The models that make their output within one call. */
export const blocking = models.filter((model) => model.endsWith('-image'))
