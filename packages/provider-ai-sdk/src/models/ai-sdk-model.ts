/**
 * The models of the AI SDK as far as they are used here, for all versions of its specification (v2 to v4) at once. Types
 * of our own, so that no version of `@ai-sdk/provider` is forced on anybody. What a method takes is `never`, because
 * each version has other words for the same.
 */
export type AiSdkModel = AiSdkImageModel | AiSdkVideoModel

interface AnyModel {
  /** `v2`, `v3` or `v4`. */
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
}

export interface AiSdkImageModel extends AnyModel {
  readonly maxImagesPerCall: unknown
  readonly supportsFileInputs?: unknown
  readonly supportsMaskInputs?: unknown
  doGenerate(options: never): PromiseLike<ImageResult>
}

export interface AiSdkVideoModel extends AnyModel {
  readonly maxVideosPerCall: unknown
  doGenerate?(options: never): PromiseLike<VideoResult>
  doStart?(options: never): PromiseLike<{ readonly operation: unknown }>
  doStatus?(options: never): PromiseLike<VideoStatus>
}

/** A video model whose task another process can ask after. */
export type DurableVideoModel = AiSdkVideoModel & Required<Pick<AiSdkVideoModel, 'doStart' | 'doStatus'>>

export interface ImageResult {
  /** Bytes, or base64. */
  readonly images: readonly (string | Uint8Array)[]
  readonly isRetryable?: boolean | undefined
  readonly providerMetadata?: unknown
  readonly usage?: unknown
}

export interface VideoResult {
  readonly videos: readonly VideoData[]
  readonly providerMetadata?: unknown
}

export interface VideoData {
  /** `url`, `base64`, `binary`; or `uploaded`, which leads to no file. */
  readonly type: string
  readonly url?: string
  readonly data?: string | Uint8Array
}

/** `pending`, `completed` with `videos`, or `error`. */
export interface VideoStatus {
  readonly status: string
  readonly videos?: readonly VideoData[]
  readonly error?: string
  readonly providerMetadata?: unknown
}

export function isVideoModel(model: AiSdkModel): model is AiSdkVideoModel {
  return 'maxVideosPerCall' in model || 'doStart' in model
}

export function isDurable(model: AiSdkModel): model is DurableVideoModel {
  return isVideoModel(model) && typeof model.doStart === 'function' && typeof model.doStatus === 'function'
}

/** Whether it is a model that makes images or videos. A language model has a `doGenerate` too, but no such limit. */
export function isMediaModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null || !('modelId' in value)) return false
  const model = value as AiSdkModel
  if (isDurable(model)) return true
  const hasLimit = 'maxVideosPerCall' in model || 'maxImagesPerCall' in model
  return hasLimit && typeof model.doGenerate === 'function'
}
