import type { ProviderFailure } from '@genmount/core'
import type { localTasks } from '@genmount/provider-kit/workers'
import type { ImageFormat } from './encode-image.ts'

/** What a worker thread has to render. It is plain data, which can be sent to a thread. */
export type RenderOrder = ImageOrder | VideoOrder

interface AnyOrder {
  readonly prompt: string
  readonly seed: number | undefined
  readonly shortSide: number
  /** Such as `16:9`. `undefined` means the ratio of the given picture, or the default without a picture. */
  readonly aspectRatio: string | undefined
  /**
   * The picture to edit or to film, as a file or as a data URI. The worker decodes the data URI, because 20 MB of
   * base64 would block the event loop of the server for too long.
   */
  readonly picture: Uint8Array | string | undefined
}

export interface ImageOrder extends AnyOrder {
  readonly kind: 'image'
  readonly count: number
  readonly format: ImageFormat
}

export interface VideoOrder extends AnyOrder {
  readonly kind: 'video'
  readonly fps: number
  readonly frameCount: number
}

/** Tells how much of an order is done, from 0 to 1, and shows what has been made so far. */
export type TellProgress = Parameters<Parameters<typeof localTasks>[0]['make']>[2]

export interface RenderedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The words of the prompt that the file shows, in their order. */
  readonly words: readonly string[]
}

export type RenderReply =
  | {
      readonly files: readonly RenderedFile[]
      readonly contentType: string
      /** The time of drawing and encoding, in whole milliseconds. */
      readonly renderMs: number
    }
  | { readonly code: ProviderFailure; readonly message: string }
