import { checkCount, checkPrice, type JsonObject, type Model, type Price } from '@genmount/core'
import { inputSchema } from '../input/input-schema.ts'
import { type AiSdkModel, isMediaModel, isVideoModel } from './ai-sdk-model.ts'

export interface AiSdkModelOptions {
  readonly model: AiSdkModel
  /** US dollars for each unit, see `units`. @default jobs cost nothing */
  readonly price?: Price | undefined
  /**
   * What the vendor counts, read from the model's result. The AI SDK has no common place for it.
   * @default the number of outputs
   * @example ({ usage }) => usage.outputTokens / 1e6
   */
  readonly units?: ((result: CountedResult) => number) | undefined
  /** The largest `num_outputs`. All are asked for in one call. @default what the model says, or 1 */
  readonly maxOutputs?: number | undefined
  /** How long a job usually takes, in milliseconds. */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs and outputs are kept. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
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

/** A model with its options, checked. */
export interface ModelEntry extends AiSdkModelOptions {
  readonly publicModel: Model
}

/** @throws TypeError that names the option */
export function modelEntry(id: string, given: AiSdkModel | AiSdkModelOptions): ModelEntry {
  const name = `models[${JSON.stringify(id)}]`
  const options = isMediaModel(given) ? { model: given } : given
  const model: unknown = options?.model
  if (!isMediaModel(model))
    throw new TypeError(
      `${name} must be an image or video model of the AI SDK, or options with one in model.`,
    )
  checkPrice(`${name}.price`, options.price)
  if (options.units !== undefined && typeof options.units !== 'function')
    throw new TypeError(`${name}.units must be a function from the model's result to a number.`)
  const outputKind = isVideoModel(model) ? 'video' : 'image'
  const limit = isVideoModel(model) ? model.maxVideosPerCall : model.maxImagesPerCall
  const maxOutputs = options.maxOutputs ?? (typeof limit === 'number' ? limit : 1)
  checkCount(`${name}.maxOutputs`, maxOutputs)
  // Version 2 of the specification knows no files: they would be dropped without a word.
  const takesFiles = model.specificationVersion !== 'v2'
  const { typicalMs, retentionDays } = options
  const input = inputSchema({ outputKind, maxOutputs, takesFiles })
  return { ...options, model, publicModel: { id, outputKind, input, typicalMs, retentionDays } }
}
