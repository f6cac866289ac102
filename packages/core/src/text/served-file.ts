/** The media types that a browser may show, each with the extension of its files. */
const shownTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
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
 * Says with which headers an output file is served. A file that is not a known picture or video type is sent as an
 * attachment, so that no browser runs it as a page. The /v1 interface and stores with `link` both follow it.
 * @param name the file name without extension, of letters, digits, `_`, `-` and `~`
 * @param contentType the media type with which the file was stored
 */
export function servedFile(name: string, contentType: string): ServedFile {
  const type = contentType.toLowerCase()
  if (Object.hasOwn(shownTypes, type)) {
    const contentDisposition = `inline; filename="${name}.${shownTypes[type]}"`
    return { isShown: true, contentType: type, contentDisposition }
  }
  return {
    isShown: false,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    contentDisposition: `attachment; filename="${name}"`,
  }
}
