import { Buffer } from 'node:buffer'
import sharp from 'sharp'
import type { EnlargeOrder } from './enlarge-order.ts'
import type { Picture } from './picture.ts'

/** A picture that cannot be enlarged; the message is for whoever sent it. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError'
}

interface PictureLimits {
  /** The longest side, in pixels, that the enlarged picture may have. */
  readonly maxOutputSide: number
  /** Whole seconds; the largest picture that is taken needs about one. */
  readonly decodeSeconds: number
}

/** WebP has the tightest bound of the sides. */
const defaultLimits: PictureLimits = { maxOutputSide: 16_383, decodeSeconds: 20 }

/**
 * Opens the picture of an order. Its size is looked at before it is unfolded: a small file can hold a huge picture.
 * @throws UnusablePictureError when it is no picture, too large a one, or takes too long to decode
 */
export async function openPicture(
  order: Pick<EnlargeOrder, 'picture' | 'scale' | 'maxOutputPixels'>,
  { maxOutputSide, decodeSeconds } = defaultLimits,
): Promise<Picture> {
  const { picture } = order
  const bytes =
    typeof picture === 'string' ? Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64') : picture
  const opened = sharp(bytes, { failOn: 'error' }).timeout({ seconds: decodeSeconds }).autoOrient()
  const { width, height } = await intact(opened.metadata(), decodeSeconds)
  const maxPixels = Math.floor(order.maxOutputPixels / order.scale ** 2)
  const maxSide = Math.floor(maxOutputSide / order.scale)
  if (width * height > maxPixels || Math.max(width, height) > maxSide) {
    throw new UnusablePictureError(
      `image is too large with ${width} x ${height} pixels: this model takes at most ${maxPixels} pixels, and ${maxSide} a side.`,
    )
  }
  const { data, info } = await intact(
    opened.ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }),
    decodeSeconds,
  )
  return pictureOf(data, info)
}

interface RawInfo {
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** Separates colours and opacity, which comes last of the channels. */
function pictureOf(data: Uint8Array, { width, height, channels }: RawInfo): Picture {
  const colours = new Uint8Array(width * height * 3)
  const opacity = new Uint8Array(width * height * 3)
  let isOpaque = true
  for (let i = 0; i < width * height; i++) {
    const alpha = data[(i + 1) * channels - 1]!
    if (alpha < 255) isOpaque = false
    for (let channel = 0; channel < 3; channel++) {
      // A grey picture has one channel beside its opacity.
      const value = data[i * channels + Math.min(channel, channels - 2)]!
      colours[i * 3 + channel] = Math.round((value * alpha) / 255)
      opacity[i * 3 + channel] = alpha
    }
  }
  return {
    colours: { width, height, pixels: colours },
    opacity: isOpaque ? undefined : { width, height, pixels: opacity },
  }
}

async function intact<T>(opening: Promise<T>, decodeSeconds: number): Promise<T> {
  try {
    return await opening
  } catch (cause) {
    throw new UnusablePictureError(
      // This is how sharp says it.
      String(cause).includes('timeout:')
        ? `image takes longer to decode than ${decodeSeconds} s.`
        : 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.',
      { cause },
    )
  }
}
