/**
 * An image or video model of the AI SDK, of any version of its specification (v2 to v4). The types here list only the
 * parts that genmount uses, so that an app may use any version of `@ai-sdk/provider`. Parameters have the type `never`,
 * because each version declares them differently.
 */
export type AiSdkModel = AiSdkImageModel | AiSdkVideoModel

interface AnyModel {
  /** The version of the specification: `v2`, `v3` or `v4`. */
  readonly specificationVersion: string
  /** The AI SDK's name of the vendor. */
  readonly provider: string
  /** The vendor's name of the model. */
  readonly modelId: string
}

/** An image model of the AI SDK. */
export interface AiSdkImageModel extends AnyModel {
  /** How many images one call can make, if it is a number. */
  readonly maxImagesPerCall: unknown
  /** Whether the model accepts images to edit: `false`, or a promise of `false`, says that it does not. */
  readonly supportsFileInputs?: unknown
  /** Whether the model accepts a mask: `false`, or a promise of `false`, says that it does not. */
  readonly supportsMaskInputs?: unknown
  /** Makes the images, and resolves when they are finished. */
  doGenerate(options: never): PromiseLike<AiSdkResult>
}

/** A video model of the AI SDK. It has `doGenerate`, or both `doStart` and `doStatus`, or all three. */
export interface AiSdkVideoModel extends AnyModel {
  /** How many videos one call can make, if it is a number. */
  readonly maxVideosPerCall: unknown
  /** Makes the videos, and resolves when they are finished. */
  doGenerate?(options: never): PromiseLike<AiSdkResult>
  /** Starts a task. The `operation` of the result finds the task again. */
  doStart?(options: never): PromiseLike<AiSdkResult>
  /** Asks for the state of a task. */
  doStatus?(options: never): PromiseLike<AiSdkResult>
}

/** A video model with `doStart` and `doStatus`, whose tasks every process can poll. */
type DurableModel = AiSdkVideoModel & Required<Pick<AiSdkVideoModel, 'doStart' | 'doStatus'>>

/** What a model returns beside its outputs. Each AI SDK package has its own format for it. */
export interface CountedResult {
  /** The vendor's own data, under the vendor's name. */
  readonly providerMetadata?: any
  /** What the vendor has counted for the bill, such as tokens. */
  readonly usage?: any
}

/** What the calls of a model return. Each call fills in a part of it. */
export interface AiSdkResult extends CountedResult {
  /** The task that `doStart` has started: a JSON value by which a later call finds the task. */
  readonly operation?: unknown
  /** The state of the task that `doStatus` asked for: `pending`, `completed` or `error`. */
  readonly status?: string
  /** The message of a failed task. */
  readonly error?: string
  /** The images, each as bytes or in base64. */
  readonly images?: readonly (string | Uint8Array)[]
  /** The videos. */
  readonly videos?: readonly AiSdkVideo[]
  /** Read when there is no image: `false` means that the vendor withholds the image for its content. */
  readonly isRetryable?: boolean | undefined
  /** What the model ignores or emulates: a list in the format of its package. */
  readonly warnings?: unknown
}

/** A video in a result. */
export interface AiSdkVideo {
  /** `url`, `base64` or `binary`. With any other type, such as `uploaded`, there is neither a URL nor data. */
  readonly type: string
  /** Where the video is. */
  readonly url?: string
  /** The video as bytes or in base64. */
  readonly data?: string | Uint8Array
}

/** Whether the model makes videos. */
export function isVideoModel(model: AiSdkModel): model is AiSdkVideoModel {
  return 'maxVideosPerCall' in model || 'doStart' in model
}

export function isDurable(model: AiSdkModel): model is DurableModel {
  return isVideoModel(model) && typeof model.doStart === 'function' && typeof model.doStatus === 'function'
}

/**
 * Whether a value is an image or video model. A language model also has `doGenerate`, but no limit of images or videos.
 */
export function isMediaModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null || !('modelId' in value)) return false
  const model = value as AiSdkModel
  if (isDurable(model)) return true
  const hasLimit = 'maxVideosPerCall' in model || 'maxImagesPerCall' in model
  return hasLimit && typeof model.doGenerate === 'function'
}
