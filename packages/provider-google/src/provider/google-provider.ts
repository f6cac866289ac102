import { checkCount, type Model, type OutputKind, type Price, type Provider } from '@genmount/core'
import { guardedFetch, type GuardedFetch } from '@genmount/guarded-fetch'
import { vendorClient } from '@genmount/vendor-http'
import { geminiImages } from './gemini-images.ts'
import type { GeminiTokenPrices } from './gemini-price.ts'
import type { GoogleApi, GoogleWork } from './google-api.ts'
import { imageInput, videoInput } from './model-inputs.ts'
import { veoVideos } from './veo-videos.ts'

export interface GoogleModelOptions {
  /** Google's name of the model. @default the public id */
  readonly model?: string | undefined
  /** `video`: made by Veo. `image`: made by Gemini. @default `video` when Google's name begins with `veo`, else `image` */
  readonly outputKind?: OutputKind | undefined
  /**
   * US dollars. Videos: core's `Price` for each second. Images: for a million tokens of each kind, or core's `Price` for
   * each image. @default jobs cost nothing
   */
  readonly price?: Price | GeminiTokenPrices | undefined
  /** How long a job usually takes, in milliseconds. @default 90000 for videos, 15000 for images */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs and their outputs are kept. @default the service's */
  readonly retentionDays?: number | undefined
}

export interface GoogleProviderOptions {
  /** The API key of the Gemini API. */
  readonly token: string
  /** The public model ids, and what Google calls each. */
  readonly models: Readonly<Record<string, GoogleModelOptions>>
  /** @default 'https://generativelanguage.googleapis.com/v1beta' */
  readonly baseUrl?: string | undefined
  /** Asks the API. @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request to the API. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Fetches the pictures that clients name and the videos that Google names. @default `guardedFetch` */
  readonly fetchFile?: GuardedFetch | undefined
}

/** An image is made within one call, and the videos of a job are downloaded within one. */
const callTimeoutMs = 300_000

/**
 * Makes videos with Veo, as long-running operations that any process can come back to, and images with Gemini, within one
 * call each. Videos lie where only the key can read them, so they are downloaded and given as bytes.
 * @throws TypeError when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/video
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 * @example googleProvider({ token: process.env.GEMINI_API_KEY, models: { 'veo-3.1-generate-preview': {} } })
 */
export function googleProvider(options: GoogleProviderOptions): Provider {
  const {
    token,
    models,
    baseUrl = 'https://generativelanguage.googleapis.com/v1beta',
    fetch,
    headers,
    fetchFile = guardedFetch,
  } = options
  const keyHeaders = { 'x-goog-api-key': token }
  const client = vendorClient({
    vendor: 'Google',
    baseUrl,
    fetch,
    headers: { ...keyHeaders, ...headers },
    secrets: [token],
  })
  const catalogue = catalogueOf(models, { client, fetchFile, keyHeaders, origin: new URL(baseUrl).origin })

  return {
    name: 'google',
    models: [...catalogue.values()].map(({ model }) => model),
    callTimeoutMs,
    submit: async (task, call) => catalogue.get(task.model)!.work.submit(task, call),
    poll: async (task, call) => catalogue.get(task.model)!.work.poll(task, call),
  }
}

function catalogueOf(models: GoogleProviderOptions['models'], api: GoogleApi) {
  const entries = Object.entries(models ?? {})
  if (entries.length === 0) throw new TypeError('models must name at least one model.')
  return new Map(entries.map(([id, options]) => [id, entryOf(id, options, api)]))
}

function entryOf(
  id: string,
  options: GoogleModelOptions,
  api: GoogleApi,
): { model: Model; work: GoogleWork } {
  const place = `models['${id}']`
  const { model: vendorModel = id, price, retentionDays } = options
  if (typeof vendorModel !== 'string' || !/^[\w.-]+$/.test(vendorModel))
    throw new TypeError(`${place}.model must be Google's name of a model, such as veo-3.1-generate-preview.`)
  const { outputKind = vendorModel.startsWith('veo') ? 'video' : 'image' } = options
  if (outputKind !== 'video' && outputKind !== 'image')
    throw new TypeError(`${place}.outputKind must be video or image.`)
  const isVideo = outputKind === 'video'
  const { typicalMs = isVideo ? 90_000 : 15_000 } = options
  const model = {
    id,
    outputKind,
    input: isVideo ? videoInput : imageInput,
    typicalMs: checkCount(`${place}.typicalMs`, typicalMs),
    retentionDays:
      retentionDays === undefined ? undefined : checkCount(`${place}.retentionDays`, retentionDays, 1, 3650),
  }
  const make = isVideo ? veoVideos : geminiImages
  return { model, work: make(api, vendorModel, `${place}.price`, price) }
}
