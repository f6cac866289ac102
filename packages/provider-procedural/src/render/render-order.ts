import type { ProviderFailure } from '@genmount/core'
import type { ImageFormat } from './encode-image.ts'

/** What a worker is asked to render: plain data, everything settled. */
export type RenderOrder = ImageOrder | VideoOrder

interface AnyOrder {
  readonly prompt: string
  readonly seed: number | undefined
  readonly shortSide: number
  /** Such as 16:9; `undefined` follows the picture given. */
  readonly aspectRatio: string | undefined
  /**
   * The file of the picture to edit or to move over. A data URI is passed on as it came: to decode 20 MB of base64 takes
   * longer than the event loop of a server should.
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

export type RenderReply =
  | {
      readonly files: readonly Uint8Array<ArrayBuffer>[]
      readonly contentType: string
      /** How long the drawing and encoding took, in whole milliseconds. */
      readonly renderMs: number
    }
  | { readonly code: ProviderFailure; readonly message: string }
