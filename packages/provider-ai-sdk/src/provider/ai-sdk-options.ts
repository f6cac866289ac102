import {
  accepts,
  callable,
  checkFileFetch,
  checkLog,
  checkObject,
  checkOptions,
  checkPrice,
  choice,
  count,
  type FileFetch,
  flag,
  type JsonObject,
  listOf,
  type Log,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { checkAllowedOptions, modelInput, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { type ModelOptions, modelOptions, offerModels, scrubber } from '@genmount/vendor-http'
import { inputSchema } from '../input/input-schema.ts'
import { type AiSdkModel, isMediaModel, isVideoModel } from '../models/ai-sdk-model.ts'

/** A model of the AI SDK, as the app offers it. */
export interface AiSdkModelOptions extends ModelOptions, ProviderOptionsAllowance {
  /** The model, such as `fal.video('fal-ai/veo3.1')`. */
  readonly model: AiSdkModel
  /** The price of a unit in US dollars: see `units`. @default none: jobs have no known cost */
  readonly price?: Price | undefined
  /**
   * Reads from the model's result for how many units the vendor charges. The AI SDK has no common place for that
   * number.
   * @default a function that returns the number of outputs
   * @example ({ usage }) => usage.outputTokens / 1e6
   */
  readonly units?: ((result: CountedResult) => number) | undefined
  /** The largest `num_outputs`. All outputs are requested in one call. @default the model's own limit, or 1 */
  readonly maxOutputs?: number | undefined
  /**
   * The vendor's own options for every call, under the vendor's name in the AI SDK. They win over a client's
   * `provider_options`.
   * @default none
   */
  readonly providerOptions?: Readonly<Record<string, JsonObject>> | undefined
  /**
   * Whether the model gets the URLs of clients' images instead of the images. Some models accept only URLs (Luma). Some
   * ignore URLs without an error (Veo). Some fetch the URLs from this machine, unguarded (OpenAI).
   * @default false
   */
  readonly passImageUrls?: boolean | undefined
  /**
   * What becomes of a job when the model says in its `warnings` that it ignores a part of the input. `log`: the output
   * is delivered. `refuse`: the job fails as `provider_rejected` with the model's words and its cost; later jobs with
   * the same settings are refused by this process before anything is spent. The log has the warnings in either case.
   * @default 'log'
   */
  readonly onWarning?: 'log' | 'refuse' | undefined
}

/** What a model says beside its outputs. Each AI SDK package has its own form for it. */
export interface CountedResult {
  /** The vendor's own data, under the vendor's name. */
  readonly providerMetadata?: any
  /** What the vendor has counted, such as tokens. */
  readonly usage?: any
}

/** The options of `aiSdkProvider`. */
export interface AiSdkProviderOptions {
  /** The models on offer, by the public ids that clients use. Each is a model, or options with a model in them. */
  readonly models: Readonly<Record<string, AiSdkModel | AiSdkModelOptions>>
  /**
   * The vendors' keys, which are taken out of all texts and URLs of the vendors. Other keys are recognised by their
   * form only.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined
  /**
   * How long one call may take, in milliseconds. A model without `doStart` makes its whole output within one call.
   * Calls of `doStart` and `doStatus` may take at most a minute.
   * @default 600000 (10 minutes)
   */
  readonly callTimeoutMs?: number | undefined
  /**
   * The largest video that this process downloads, in bytes. It downloads videos that open only with the vendor's key.
   * @default 268435456 (256 MiB)
   */
  readonly maxOutputBytes?: number | undefined
  /** Fetches clients' images, and videos that open only with the vendor's key. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
  /** Gets each warning of a model once for each model and kind. @default `console` */
  readonly log?: Log | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  ...modelOptions,
  model: accepts<AiSdkModel>('an image or video model of the AI SDK', isMediaModel),
  price: checkPrice,
  units: optional(
    callable<NonNullable<AiSdkModelOptions['units']>>('({ usage }) => usage.outputTokens / 1e6'),
  ),
  maxOutputs: optional(count()),
  providerOptions: optional(
    (name, value) =>
      checkObject(name, value, " by the vendor's name") as Readonly<Record<string, JsonObject>>,
  ),
  passImageUrls: optional(flag, false),
  onWarning: optional(choice('log', 'refuse'), 'log'),
  allowedProviderOptions: checkAllowedOptions,
} satisfies OptionTable<AiSdkModelOptions>

function offeredModel(given: AiSdkModel | AiSdkModelOptions, at: string) {
  // A model of another kind, such as a language model, has an id too. It is refused as a model.
  const options = typeof given === 'object' && 'modelId' in given ? { model: given } : given
  const { model, allowedProviderOptions: rule, ...checked } = checkOptions(at, options, modelTable)
  const isVideo = isVideoModel(model)
  const limit = isVideo ? model.maxVideosPerCall : model.maxImagesPerCall
  const { maxOutputs = count()(`${at}.maxOutputs`, typeof limit === 'number' ? limit : 1) } = checked
  const outputKind = isVideo ? ('video' as const) : ('image' as const)
  // Version 2 of the specification has no files, so such a model would ignore them without an error.
  const takesFiles = model.specificationVersion !== 'v2'
  const input = modelInput(inputSchema({ outputKind, maxOutputs, takesFiles, rule }))
  const told = shownPrice(checked.price, checked.units ? 'unit of the vendor' : 'output')
  return {
    ...checked,
    model,
    outputKind,
    input,
    isCostKnown: checked.price !== undefined,
    shownPrice: told,
  }
}

const table = {
  models: offerModels(offeredModel),
  secrets: (name, secrets) => scrubber(listOf('a list of texts', text())(name, secrets ?? [])),
  callTimeoutMs: optional(count(), 600_000),
  maxOutputBytes: optional(count(), 256 * 1024 * 1024),
  fetchFile: optional(checkFileFetch, guardedFetch),
  log: optional(checkLog),
} satisfies OptionTable<AiSdkProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkAiSdkOptions(options: AiSdkProviderOptions) {
  return checkOptions('aiSdkProvider', options, table)
}
