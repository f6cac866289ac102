import type { VariantFormat } from '../plugin/variant-request.ts'

/** What a worker thread gets. */
export interface ConversionOrder {
  /** The file of the output. */
  readonly picture: Uint8Array
  /** The width of the new picture, in pixels. A picture is never enlarged, and one that is long is narrower. */
  readonly width: number
  readonly format: VariantFormat
  /** The most pixels that the picture may have. */
  readonly maxPixels: number
}

/** What a worker thread answers. */
export type ConversionReply =
  /** The new picture. */
  | { readonly file: Uint8Array<ArrayBuffer> }
  /** The picture has this format already, and is not wider. */
  | { readonly isSame: true }
  /** Why the picture can't be converted, as a sentence for clients. */
  | { readonly refusal: string }
