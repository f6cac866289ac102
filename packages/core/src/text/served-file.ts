import { svgType } from './output-type.ts'

/** The media types that a browser may show or play, each with the extension of its files. */
const shownTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/heic': 'heic',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
}

/** Known types that a browser must not show as a page of their own, because they may contain scripts. */
const savedTypes: Readonly<Record<string, string>> = { [svgType]: 'svg' }

/** The extension of files of a known picture, video or sound type, without the dot. */
export function extensionOf(contentType: string): string | undefined {
  return Object.hasOwn(shownTypes, contentType) ? shownTypes[contentType] : undefined
}

/** The type whose files have this extension. */
export function typeOfExtension(extension: string): string | undefined {
  return Object.keys(shownTypes).find((type) => shownTypes[type] === extension)
}

/** How an output file is served to browsers. */
export interface ServedFile {
  /** Whether a browser may show the file instead of saving it. */
  readonly isShown: boolean
  /** The value for the header `content-type`. */
  readonly contentType: string
  /** The value for the header `content-disposition`. */
  readonly contentDisposition: string
}

/**
 * The headers with which an output file is served. A file that is not a known picture, video or sound type is sent as
 * an attachment, so that no browser runs it as a page. So is a drawing (SVG), which pages can still show in an `<img>`.
 * The /v1 interface and stores with `link` both use these headers.
 * @param name the file name without extension, of letters, digits, `_`, `-` and `~`
 * @param contentType the media type with which the file was stored
 */
export function servedFile(name: string, contentType: string): ServedFile {
  const type = contentType.toLowerCase()
  if (Object.hasOwn(shownTypes, type)) {
    const contentDisposition = `inline; filename="${name}.${shownTypes[type]}"`
    return { isShown: true, contentType: type, contentDisposition }
  }
  const extension = Object.hasOwn(savedTypes, type) ? `.${savedTypes[type]}` : ''
  return {
    isShown: false,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    contentDisposition: `attachment; filename="${name}${extension}"`,
  }
}
