import { type AiSdkModel, type CountedResult, isMediaModel, isVideoModel } from '../models/ai-sdk-model.ts'
import { type ModelTaskOptions, modelTaskOptions } from '../tasks/model-task-options.ts'
import {
  accepts,
  callable,
  checkObject,
  checkOptions,
  checkPrice,
  count,
  type FileFetch,
  flag,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
} from '@genmount/core'
import {
  checkAllowedOptions,
  modelInput,
  type ModelOptions,
  modelOptions,
  offerModels,
  type ProviderOptionsAllowance,
} from '@genmount/provider-kit'
import { inputSchema } from '../input/input-schema.ts'

/** A model of the AI SDK, as the app offers it. */
export interface AiSdkModelOptions
  extends ModelOptions, ProviderOptionsAllowance, Pick<ModelTaskOptions, 'onWarning'> {
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
}

/** The options of `aiSdkProvider`. */
export interface AiSdkProviderOptions extends Omit<ModelTaskOptions, 'onWarning' | 'costOf'> {
  /** The models on offer, by the public ids that clients use. Each is a model, or options with a model in them. */
  readonly models: Readonly<Record<string, AiSdkModel | AiSdkModelOptions>>
  /**
   * How long one call may take, in milliseconds. A model without `doStart` makes its whole output within one call.
   * Calls of `doStart` and `doStatus` may take at most a minute.
   * @default 600000 (10 minutes)
   */
  readonly callTimeoutMs?: number | undefined
  /** Fetches clients' images, and videos that open only with the vendor's key. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const { onWarning, costOf: _costOf, ...taskOptions } = modelTaskOptions

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
  onWarning,
  allowedProviderOptions: checkAllowedOptions,
} satisfies OptionTable<AiSdkModelOptions>

function offeredModel(offer: AiSdkModel | AiSdkModelOptions, at: string) {
  // A model of another kind, such as a language model, has an id too. It is refused as a model.
  const options = typeof offer === 'object' && 'modelId' in offer ? { model: offer } : offer
  const { allowedProviderOptions: rule, ...checked } = checkOptions(at, options, modelTable)
  const { model, price, units } = checked
  const isVideo = isVideoModel(model)
  const limit = isVideo ? model.maxVideosPerCall : model.maxImagesPerCall
  const { maxOutputs = count()(`${at}.maxOutputs`, typeof limit === 'number' ? limit : 1) } = checked
  const outputKind = isVideo ? ('video' as const) : ('image' as const)
  // Version 2 of the specification has no files, so such a model would ignore them without an error.
  const takesFiles = model.specificationVersion !== 'v2'
  return {
    ...checked,
    outputKind,
    input: modelInput(inputSchema({ outputKind, maxOutputs, takesFiles, rule })),
    isCostKnown: price !== undefined,
    shownPrice: shownPrice(price, units ? 'unit of the vendor' : 'output'),
  }
}

const table = {
  ...taskOptions,
  models: offerModels(offeredModel),
  callTimeoutMs: optional(count(), 600_000),
} satisfies OptionTable<AiSdkProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkAiSdkOptions(options: AiSdkProviderOptions) {
  return checkOptions('aiSdkProvider', options, table)
}
