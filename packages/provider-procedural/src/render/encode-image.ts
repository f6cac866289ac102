import { freeMemory } from '@genmount/core'
import { inPicturePlace } from '@genmount/provider-kit/workers'
import sharp from 'sharp'
import type { Frame } from './frame.ts'

export type ImageFormat = 'png' | 'webp' | 'jpeg'

/** Encodes a frame as a file without metadata, so that equal frames give equal files. */
export async function encodeImage(frame: Frame, format: ImageFormat): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = frame
  const bytes = toBytes(frame)
  const picture = sharp(bytes, { raw: { width, height, channels: 3 } })
  const file =
    format === 'png'
      ? picture.png({ compressionLevel: 6 })
      : format === 'webp'
        ? picture.webp({ quality: 88, effort: 3 })
        : picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
  // A copy, because the bytes are transferred to another thread, and sharp's buffer may belong to a shared pool.
  const encoded = new Uint8Array(await inPicturePlace(() => file.toBuffer()))
  freeMemory(bytes)
  return encoded
}

/**
 * Rounds to bytes, after adding a fixed pattern of less than one step. Without the pattern, smooth skies would show
 * visible bands.
 */
function toBytes(frame: Frame): Uint8ClampedArray {
  const { width, height, pixels } = frame
  const bytes = new Uint8ClampedArray(pixels.length)
  let i = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grain = (((x * 1171 + y * 101 + ((x * y) & 63) * 13) & 1023) / 1024 - 0.5) * 0.9
      bytes[i] = pixels[i]! * 255 + grain
      bytes[i + 1] = pixels[i + 1]! * 255 + grain
      bytes[i + 2] = pixels[i + 2]! * 255 + grain
      i += 3
    }
  }
  return bytes
}
