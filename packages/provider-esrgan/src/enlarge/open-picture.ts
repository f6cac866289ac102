import { Buffer } from 'node:buffer'
import { checkPicture, inPicturePlace, UnusablePictureError } from '@genmount/provider-kit/workers'
import sharp from 'sharp'
import type { EnlargeOrder } from './enlarge-order.ts'
import type { Picture } from './picture.ts'

interface PictureLimits {
  /** The longest side of the enlarged picture, in pixels. */
  readonly maxOutputSide: number
  /** How long decoding may take, in whole seconds. The largest picture that is accepted needs about one second. */
  readonly decodeSeconds: number
}

/** 16383 is the longest side of a WebP file, the smallest limit of the output formats. */
const defaultLimits: PictureLimits = { maxOutputSide: 16_383, decodeSeconds: 20 }

/**
 * Opens the picture of an order. It checks the size before decoding, because a small file can contain a huge picture.
 * @throws UnusablePictureError when the file is not a picture, or is too large, or takes too long to decode
 */
export async function openPicture(
  order: Pick<EnlargeOrder, 'picture' | 'scale' | 'maxOutputPixels'>,
  { maxOutputSide, decodeSeconds } = defaultLimits,
): Promise<Picture> {
  const { picture } = order
  const bytes =
    typeof picture === 'string' ? Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64') : picture
  checkPicture('image', bytes)
  const opened = sharp(bytes, { failOn: 'error' }).timeout({ seconds: decodeSeconds }).autoOrient()
  const { width, height } = await inPicturePlace(() => intact(opened.metadata(), decodeSeconds))
  const maxPixels = Math.floor(order.maxOutputPixels / order.scale ** 2)
  const maxSide = Math.floor(maxOutputSide / order.scale)
  if (width * height > maxPixels || Math.max(width, height) > maxSide) {
    throw new UnusablePictureError(
      `image is too large with ${width} x ${height} pixels: this model accepts at most ${maxPixels} pixels, and ${maxSide} per side.`,
    )
  }
  const decoded = opened.ensureAlpha().toColourspace('srgb').raw()
  const { data, info } = await inPicturePlace(() =>
    intact(decoded.toBuffer({ resolveWithObject: true }), decodeSeconds),
  )
  return pictureOf(data, info)
}

interface RawInfo {
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** Separates the colours from the opacity, which is the last channel. */
function pictureOf(data: Uint8Array, { width, height, channels }: RawInfo): Picture {
  const colours = new Uint8Array(width * height * 3)
  const opacity = new Uint8Array(width * height * 3)
  let isOpaque = true
  for (let i = 0; i < width * height; i++) {
    const alpha = data[(i + 1) * channels - 1]!
    if (alpha < 255) isOpaque = false
    for (let channel = 0; channel < 3; channel++) {
      // A grey picture has only one colour channel.
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

/** Turns an error of sharp into one that the client can read. */
async function intact<T>(opening: Promise<T>, decodeSeconds: number): Promise<T> {
  try {
    return await opening
  } catch (cause) {
    throw new UnusablePictureError(
      // sharp reports its time limit only in this text.
      String(cause).includes('timeout:')
        ? `image takes longer to decode than ${decodeSeconds} s.`
        : 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.',
      { cause },
    )
  }
}
