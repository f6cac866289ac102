import { imageSize } from 'image-size'
import { heifSize, type PictureSize } from './heif-size.ts'

/** How much of a drawing is searched for its first tag, in bytes. */
const drawingBytes = 16_384

/** Of these image-size takes the first size in the file, which may be that of a tile. */
const isHeif = /^image\/(?:avif|hei[cf])$/

/** The size of a picture by its header. @returns nothing when that can't be read */
export function pictureSize(head: Uint8Array, contentType: string): Partial<PictureSize> {
  try {
    const { width, height } = isHeif.test(contentType) ? heifSize(head) : headerSize(head, contentType)
    return isSize(width) && isSize(height) ? { width, height } : {}
  } catch {
    return {}
  }
}

function headerSize(head: Uint8Array, contentType: string): PictureSize {
  const bytes = contentType === 'image/svg+xml' ? head.subarray(0, drawingBytes) : head
  const { width, height, orientation = 1 } = imageSize(bytes)
  // Exif 3.0, 4.6.5.1.6: from 5 on, the picture is shown on its side.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function isSize(pixels: number): boolean {
  return Number.isFinite(pixels) && pixels > 0
}
