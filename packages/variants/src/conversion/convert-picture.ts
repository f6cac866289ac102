import { checkPicture, inPicturePlace, UnusablePictureError } from '@genmount/provider-kit/workers'
import sharp, { type Sharp } from 'sharp'
import type { VariantFormat } from '../plugin/variant-request.ts'
import type { ConversionOrder, ConversionReply } from './conversion-order.ts'

/** How long decoding and encoding may take, in whole seconds. The largest picture needs about five. */
const limitSeconds = 20
/** The most pixels of a new picture. An AVIF takes 0.6 microseconds and 40 bytes for each of them. */
const maxNewPixels = 2048 * 4096
/** Longer XMP is left out. It would make a small picture large, and a JPEG has no room for more. */
const maxXmpBytes = 60_000

/**
 * Makes a smaller picture, or one in another format. Of an animation it takes the first picture. The new picture is upright, in
 * sRGB, and has no metadata but the XMP of the file: that may say who or what has made the picture.
 */
export async function convertPicture(order: ConversionOrder): Promise<ConversionReply> {
  const { picture, width, format, maxPixels } = order
  try {
    checkPicture('The output', picture)
    const opened = sharp(picture, { limitInputPixels: maxPixels, failOn: 'error' }).timeout({
      seconds: limitSeconds,
    })
    return await inPicturePlace(async () => {
      const { autoOrient, format: ownFormat, pages = 1, xmp } = await opened.metadata()
      const box = { width, height: Math.floor(maxNewPixels / width) }
      const fits = autoOrient.width <= box.width && autoOrient.height <= box.height
      if (fits && ownFormat === format && pages === 1) return { isSame: true }
      const sized = opened.autoOrient().resize({ ...box, fit: 'inside', withoutEnlargement: true })
      const marked = xmp && xmp.length <= maxXmpBytes ? sized.withXmp(xmp.toString()) : sized
      // A copy, because the bytes are transferred to another thread, and sharp's buffer may belong to a shared pool.
      return { file: new Uint8Array(await encoders[format](marked).toBuffer()) }
    })
  } catch (error) {
    return { refusal: reasonOf(error, maxPixels) }
  }
}

/** The qualities are sharp's own, which look alike in all formats. A JPEG has no transparency, so that becomes white. */
const encoders: Readonly<Record<VariantFormat, (picture: Sharp) => Sharp>> = {
  webp: (picture) => picture.webp({ quality: 80, effort: 3 }),
  jpeg: (picture) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80 }),
  png: (picture) => picture.png({ compressionLevel: 6 }),
  avif: (picture) => picture.avif({ quality: 50, effort: 2 }),
}

/** sharp's errors have no codes, so their texts are read. */
function reasonOf(error: unknown, maxPixels: number): string {
  if (error instanceof UnusablePictureError) return error.message
  const words = String(error)
  if (words.includes('pixel limit'))
    return `The output has more than ${maxPixels / 1_000_000} million pixels.`
  if (words.includes('timeout:')) return `The output takes longer to convert than ${limitSeconds} s.`
  return 'The output can not be converted: it is damaged, or too long for this format.'
}
