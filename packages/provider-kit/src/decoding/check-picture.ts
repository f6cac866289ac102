import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'
import { gifFault } from './gif-fault.ts'
import { jpegFault } from './jpeg-fault.ts'
import { pngFault } from './png-fault.ts'
import { webpFault } from './webp-fault.ts'

/** A picture cannot be used. The message may be shown to the person who sent it. */
export class UnusablePictureError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'UnusablePictureError'
}

const faultOf: Readonly<Record<string, (file: Buffer) => string | undefined>> = {
  'image/png': pngFault,
  'image/jpeg': jpegFault,
  'image/webp': webpFault,
  'image/gif': gifFault,
}

/**
 * Refuses a file that would cost its decoder more than its pixels do. It reads the structure of the file and decodes
 * nothing. Call it before anything that decodes, because neither a time limit nor the end of its thread ends a native
 * decoder that has begun. The number of pixels is for the caller to limit.
 *
 * It accepts a JPEG of at most 100 scans, or 25 when it has 10 million pixels or more, and of 5000 segments; a PNG of at
 * most 1000 texts that have 16 MiB when they are inflated; and a WebP or GIF of at most 5000 frames.
 * @param field the input field that the messages name
 * @throws UnusablePictureError when the file is something else
 * @example checkPicture('image', bytes)
 */
export function checkPicture(field: string, file: Uint8Array): void {
  const fault = faultOf[mediaTypeOf(file) ?? '']
  if (!fault)
    throw new UnusablePictureError(
      `${field} could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.`,
    )
  const issue = fault(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  if (issue !== undefined) throw new UnusablePictureError(`${field} ${issue}`)
}
