import type { ProviderFailure } from '@genmount/core'
import type { ImageFormat } from './encode-image.ts'

/** How many times wider and higher a picture becomes: one trained network for each. */
export type Scale = 2 | 4

/** What a worker is asked to enlarge: plain data, everything settled. */
export interface EnlargeOrder {
  /**
   * The file of the picture. A data URI is passed on as it came: to decode 20 MB of base64 takes longer than the event
   * loop of a server should.
   */
  readonly picture: Uint8Array | string
  readonly scale: Scale
  readonly format: ImageFormat
  /** A picture that would become larger is refused. */
  readonly maxOutputPixels: number
}

export type EnlargeReply =
  | {
      readonly file: Uint8Array<ArrayBuffer>
      readonly contentType: string
      readonly outputPixels: number
      /** How long it took from opening the picture to its new file, in whole milliseconds. */
      readonly enlargeMs: number
    }
  | { readonly code: ProviderFailure; readonly message: string }
