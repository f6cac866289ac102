import { inPicturePlace } from '@genmount/provider-kit/workers'
import sharp from 'sharp'
import type { Picture } from './picture.ts'

export type ImageFormat = 'png' | 'webp' | 'jpeg'

/** Encodes a picture as a file without metadata. JPEG has no transparency, so transparent parts become white. */
export async function encodeImage(picture: Picture, format: ImageFormat): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, pixels } = picture.colours
  const raw = picture.opacity
    ? sharp(withOpacity(pixels, picture.opacity.pixels), { raw: { width, height, channels: 4 } })
    : sharp(pixels, { raw: { width, height, channels: 3 } })
  const file =
    format === 'png'
      ? raw.png({ compressionLevel: 6 })
      : format === 'webp'
        ? raw.webp({ quality: 90, effort: 3 })
        : raw.flatten({ background: '#ffffff' }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
  // A copy, because the bytes are transferred to another thread, and sharp's buffer may belong to a shared pool.
  return new Uint8Array(await inPicturePlace(() => file.toBuffer()))
}

/** Divides the colours by their opacity again, and returns both as RGBA. */
function withOpacity(colours: Picture['colours']['pixels'], opacity: typeof colours): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray((colours.length / 3) * 4)
  for (let from = 0, to = 0; from < colours.length; from += 3, to += 4) {
    const alpha = opacity[from]!
    const factor = alpha === 0 ? 0 : 255 / alpha
    pixels[to] = colours[from]! * factor
    pixels[to + 1] = colours[from + 1]! * factor
    pixels[to + 2] = colours[from + 2]! * factor
    pixels[to + 3] = alpha
  }
  return pixels
}
