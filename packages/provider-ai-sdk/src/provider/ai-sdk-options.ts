import { checkCount, checkPrice, type FileFetch, type JsonObject, type Price } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { checkAllowedOptions, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { type ModelOptions, scrubber } from '@genmount/vendor-http'
import { inputSchema } from '../input/input-schema.ts'
import { type AiSdkModel, isMediaModel, isVideoModel } from '../models/ai-sdk-model.ts'

/** A model of the AI SDK, as the app offers it. */
export interface AiSdkModelOptions extends ModelOptions, ProviderOptionsAllowance {
  readonly model: AiSdkModel
  /** US dollars for each unit, see `units`. @default no cost is told */
  readonly price?: Price | undefined
  /**
   * How many units there are, read from the model's result. The AI SDK has no common place for it.
   * @default the number of outputs
   * @example ({ usage }) => usage.outputTokens / 1e6
   */
  readonly units?: ((result: CountedResult) => number) | undefined
  /** The largest `num_outputs`. All are asked for in one call. @default what the model says, or 1 */
  readonly maxOutputs?: number | undefined
  /** Options of the vendor for every call, under its name in the AI SDK. They win over a client's `provider_options`. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>> | undefined
  /**
   * Hands the URLs of clients' images to the model instead of the images. Some models insist on URLs (Luma); some drop
   * them without a word (Veo), and some fetch them from this machine (OpenAI). @default false
   */
  readonly passImageUrls?: boolean | undefined
}

/** What a model says beside its outputs, in words of each package's own. */
export interface CountedResult {
  readonly providerMetadata?: any
  readonly usage?: any
}

export interface AiSdkProviderOptions {
  /** The models on offer by their public ids, which clients name: alone or with options. */
  readonly models: Readonly<Record<string, AiSdkModel | AiSdkModelOptions>>
  /**
   * The vendors' keys, to be taken out of whatever a vendor says. Without them keys are known by their looks.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined
  /**
   * How long a model that can only be waited for may take, in milliseconds. A durable model has a minute for each call.
   * @default 600000 (10 minutes)
   */
  readonly callTimeoutMs?: number | undefined
  /** How large a film may be that only opens with our key and so has to go through this process. @default 268435456 (256 MiB) */
  readonly maxOutputBytes?: number | undefined
  /** Fetches clients' images, and films that only open with our key. @default `guardedFetch` */
  readonly fetchFile?: FileFetch | undefined
}

/** The options beside `models`, filled in. @throws TypeError that names the option */
export function checkOptions(options: AiSdkProviderOptions) {
  const { callTimeoutMs = 600_000, maxOutputBytes = 256 * 1024 * 1024, fetchFile = guardedFetch } = options
  checkCount('callTimeoutMs', callTimeoutMs)
  checkCount('maxOutputBytes', maxOutputBytes)
  if (typeof fetchFile !== 'function')
    throw new TypeError('fetchFile must be a function such as guardedFetch.')
  return { callTimeoutMs, maxOutputBytes, fetchFile, hideSecrets: scrubber(options.secrets ?? []) }
}

/** What is known of a model beside what the service is told. */
export type OfferedModel = ReturnType<typeof offeredModel>

/** @throws TypeError that names the option */
export function offeredModel(given: AiSdkModel | AiSdkModelOptions, at: string) {
  const options = isMediaModel(given) ? { model: given } : given
  const { model, price, units, providerOptions, passImageUrls = false, allowedProviderOptions } = options
  const rule = checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions)
  if (!isMediaModel(model))
    throw new TypeError(`${at} must be an image or video model of the AI SDK, or options with one in model.`)
  if (units !== undefined && typeof units !== 'function')
    throw new TypeError(`${at}.units must be a function from the model's result to a number.`)
  const isVideo = isVideoModel(model)
  const limit = isVideo ? model.maxVideosPerCall : model.maxImagesPerCall
  const { maxOutputs = typeof limit === 'number' ? limit : 1 } = options
  checkCount(`${at}.maxOutputs`, maxOutputs)
  const outputKind = isVideo ? ('video' as const) : ('image' as const)
  // Version 2 of the specification knows no files: they would be dropped without a word.
  const takesFiles = model.specificationVersion !== 'v2'
  return {
    model,
    outputKind,
    input: inputSchema({ outputKind, maxOutputs, takesFiles, rule }),
    price: checkPrice(`${at}.price`, price),
    units,
    providerOptions,
    passImageUrls,
  }
}
