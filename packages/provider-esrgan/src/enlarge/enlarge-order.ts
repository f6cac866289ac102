import type { ProviderFailure } from '@genmount/core'
import type { localTasks } from '@genmount/provider-kit/workers'
import type { ImageFormat } from './encode-image.ts'

/** How many times wider and higher a picture becomes. There is one trained network for each. */
export type Scale = 2 | 4

/** The order for a worker thread. It is plain data, which can be sent to a thread. */
export interface EnlargeOrder {
  /**
   * The picture as a file or as a data URI. The worker decodes the data URI, because 20 MB of base64 would block the
   * event loop of the server for too long.
   */
  readonly picture: Uint8Array | string
  readonly scale: Scale
  readonly format: ImageFormat
  /** The largest number of pixels that the enlarged picture may have. Larger orders are refused. */
  readonly maxOutputPixels: number
}

/** Tells how much of an order is done, from 0 to 1. */
export type TellProgress = Parameters<Parameters<typeof localTasks>[0]['make']>[2]

export type EnlargeReply =
  | {
      readonly file: Uint8Array<ArrayBuffer>
      readonly contentType: string
      readonly outputPixels: number
      /** The time from opening the picture to the finished file, in whole milliseconds. */
      readonly enlargeMs: number
    }
  | { readonly code: ProviderFailure; readonly message: string }
