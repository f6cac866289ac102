import { Buffer } from 'node:buffer'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import type { Frame } from '../render/frame.ts'

/** A picture that cannot be drawn on; the message is for whoever sent it. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError'
}

/** A small file can unfold into a huge picture, or take long to unfold. */
interface PictureLimits {
  readonly maxPixels: number
  /** Whole seconds; the largest picture that is taken needs about one. */
  readonly decodeSeconds: number
}

const defaultLimits: PictureLimits = { maxPixels: 40_000_000, decodeSeconds: 20 }

/** An opened picture: upright, in sRGB, without transparency. */
export interface Picture {
  /** Width over height, kept between 1:2 and 2:1; what sticks out is cropped. */
  readonly ratio: number
  /** The picture cropped and scaled to fill a frame. */
  fill(width: number, height: number): Promise<Frame>
}

/**
 * @param file its bytes or a data URI
 * @throws UnusablePictureError when it is no picture, too large a one, or takes too long to decode
 */
export async function openPicture(file: Uint8Array | string, limits = defaultLimits): Promise<Picture> {
  const bytes = typeof file === 'string' ? Buffer.from(file.slice(file.indexOf(',') + 1), 'base64') : file
  const opened = sharp(bytes, { limitInputPixels: limits.maxPixels, failOn: 'error' })
    .timeout({ seconds: limits.decodeSeconds })
    .autoOrient()
  const { autoOrient } = await usable(opened.metadata(), limits)
  return {
    ratio: Math.min(2, Math.max(0.5, autoOrient.width / autoOrient.height)),
    async fill(width, height) {
      const decoded = opened
        .clone()
        .resize(width, height, { fit: 'outside', withoutEnlargement: true })
        .flatten({ background: '#808080' })
        .toColourspace('srgb')
      // In steps: sharp looks at its time limit only while it writes, and the search for what draws attention begins with
      // a copy. What is small is cropped before it is enlarged, since a long strip would become gigabytes.
      const whole = await usable(rawOf(decoded), limits)
      const scale = Math.min(1, whole.info.width / width, whole.info.height / height)
      const [cropWidth, cropHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
      const crop = reopened(whole).resize(cropWidth, cropHeight, { fit: 'cover', position: 'attention' })
      const cropped = await rawOf(crop)
      const { data, info } =
        scale < 1 ? await rawOf(reopened(cropped).resize(width, height, { fit: 'fill' })) : cropped
      const pixels = new Float32Array(width * height * 3)
      for (let i = 0; i < width * height; i++) {
        for (let channel = 0; channel < 3; channel++) {
          // A grey picture has one channel.
          pixels[i * 3 + channel] = data[i * info.channels + Math.min(channel, info.channels - 1)]! / 255
        }
      }
      return { width, height, pixels }
    },
  }
}

interface RawPicture {
  readonly data: Uint8Array
  readonly info: OutputInfo
}

function rawOf(picture: Sharp): Promise<RawPicture> {
  return picture.raw().toBuffer({ resolveWithObject: true })
}

function reopened({ data, info: { width, height, channels } }: RawPicture): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

async function usable<T>(opening: Promise<T>, limits: PictureLimits): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw new UnusablePictureError(reasonOf(String(error), limits), { cause: error })
  }
}

/** @param said what sharp says */
function reasonOf(said: string, { maxPixels, decodeSeconds }: PictureLimits): string {
  if (said.includes('pixel limit')) return `image has more than ${maxPixels / 1_000_000} million pixels.`
  if (said.includes('timeout:')) return `image takes longer to decode than ${decodeSeconds} s.`
  return 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.'
}
