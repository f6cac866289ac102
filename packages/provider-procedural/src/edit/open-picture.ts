import { Buffer } from 'node:buffer'
import { freeMemory } from '@genmount/core'
import { checkPicture, inPicturePlace, UnusablePictureError } from '@genmount/provider-kit/workers'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import type { Frame } from '../render/frame.ts'

/** Limits for decoding, because a small file can contain a huge picture, or take long to decode. */
interface PictureLimits {
  readonly maxPixels: number
  /** How long decoding may take, in whole seconds. The largest picture that is accepted needs about one second. */
  readonly decodeSeconds: number
}

const defaultLimits: PictureLimits = { maxPixels: 40_000_000, decodeSeconds: 20 }

/** An opened picture, upright, in sRGB and without transparency. */
export interface Picture {
  /** Width divided by height, limited to 1:2 up to 2:1. Longer pictures are cropped. */
  readonly ratio: number
  /** Crops and scales the picture so that it fills a frame. */
  fill(width: number, height: number): Promise<Frame>
}

/**
 * Opens a picture and reads its size. The picture is decoded when `fill` is called.
 * @param file its bytes or a data URI
 * @throws UnusablePictureError when the file is not a picture, or is too large, or takes too long to decode
 */
export async function openPicture(file: Uint8Array | string, limits = defaultLimits): Promise<Picture> {
  const bytes = typeof file === 'string' ? Buffer.from(file.slice(file.indexOf(',') + 1), 'base64') : file
  checkPicture('image', bytes)
  const opened = sharp(bytes, { limitInputPixels: limits.maxPixels, failOn: 'error' })
    .timeout({ seconds: limits.decodeSeconds })
    .autoOrient()
  const { autoOrient } = await inPicturePlace(() => usable(opened.metadata(), limits))
  return {
    ratio: Math.min(2, Math.max(0.5, autoOrient.width / autoOrient.height)),
    async fill(width, height) {
      const { data, info } = await inPicturePlace(() => filled(opened.clone(), width, height, limits))
      const pixels = new Float32Array(width * height * 3)
      for (let i = 0; i < width * height; i++) {
        for (let channel = 0; channel < 3; channel++) {
          // A grey picture has only one channel.
          pixels[i * 3 + channel] = data[i * info.channels + Math.min(channel, info.channels - 1)]! / 255
        }
      }
      freeMemory(data)
      return { width, height, pixels }
    },
  }
}

/**
 * Decodes and crops in separate steps, because sharp checks its time limit only while it writes output, and
 * `position: 'attention'` begins with a full copy, during which the limit is not checked. A picture that is smaller than
 * the frame is cropped before it is enlarged, because enlarging a long strip as a whole would take gigabytes.
 */
async function filled(
  opened: Sharp,
  width: number,
  height: number,
  limits: PictureLimits,
): Promise<RawPicture> {
  const decoded = opened
    .resize(width, height, { fit: 'outside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
  const whole = await usable(rawOf(decoded), limits)
  const scale = Math.min(1, whole.info.width / width, whole.info.height / height)
  const [cropWidth, cropHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
  const crop = reopened(whole).resize(cropWidth, cropHeight, { fit: 'cover', position: 'attention' })
  const cropped = await rawOf(crop)
  freeMemory(whole.data)
  return scale < 1 ? rawOf(reopened(cropped).resize(width, height, { fit: 'fill' })) : cropped
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

/** @param said the error of sharp as a text, because sharp's errors have no codes */
function reasonOf(said: string, { maxPixels, decodeSeconds }: PictureLimits): string {
  if (said.includes('pixel limit')) return `image has more than ${maxPixels / 1_000_000} million pixels.`
  if (said.includes('timeout:')) return `image takes longer to decode than ${decodeSeconds} s.`
  return 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.'
}
