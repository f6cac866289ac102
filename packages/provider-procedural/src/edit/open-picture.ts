import { Buffer } from 'node:buffer'
import sharp from 'sharp'
import type { Frame } from '../render/frame.ts'

/** A picture that cannot be drawn on; the message is for whoever sent it. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError'
}

/** The largest picture that is opened, in pixels: a small file can unfold into a huge one. */
const pixelLimit = 40_000_000

/** How long a picture may take to unfold: the largest that is taken needs a few seconds. */
const decodeSeconds = 20

/** An opened picture: upright, in sRGB, without transparency. */
export interface Picture {
  /** Width over height, kept between 1:2 and 2:1; what sticks out is cropped. */
  readonly ratio: number
  /** The picture cropped and scaled to fill a frame. */
  fill(width: number, height: number): Promise<Frame>
}

/**
 * @param file its bytes or a data URI
 * @throws UnusablePictureError when it is no picture or too large a one
 */
export async function openPicture(file: Uint8Array | string): Promise<Picture> {
  const bytes = typeof file === 'string' ? Buffer.from(file.slice(file.indexOf(',') + 1), 'base64') : file
  const opened = sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error' })
    .timeout({ seconds: decodeSeconds })
    .autoOrient()
  const { autoOrient } = await usable(opened.metadata())
  return {
    ratio: Math.min(2, Math.max(0.5, autoOrient.width / autoOrient.height)),
    async fill(width, height) {
      const raw = opened
        .clone()
        .resize(width, height, { fit: 'cover', position: 'attention' })
        .flatten({ background: '#808080' })
        .toColourspace('srgb')
        .raw()
      const { data, info } = await usable(raw.toBuffer({ resolveWithObject: true }))
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

async function usable<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit')
    throw new UnusablePictureError(
      isTooLarge
        ? `image has more than ${pixelLimit / 1_000_000} million pixels.`
        : 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.',
      { cause: error },
    )
  }
}
