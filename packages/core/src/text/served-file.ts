import { mediaKinds } from './media-kinds.ts'

/** The extension of files of a recognised type, without the dot. */
export function extensionOf(contentType: string): string | undefined {
  return mediaKinds.find(({ type }) => type === contentType)?.extension
}

/** The type whose files have this extension. */
export function typeOfExtension(extension: string): string | undefined {
  return mediaKinds.find((kind) => kind.extension === extension)?.type
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
 * The headers with which an output file is served. A file that browsers can't show, or whose type is not recognised, is
 * sent as an attachment, so that no browser runs it as a page. So is a drawing (SVG), which pages can still show in an
 * `<img>`. The /v1 interface and stores with `link` both use these headers.
 * @param name the file name without extension, of letters, digits, `_`, `-` and `~`
 * @param contentType the media type with which the file was stored
 */
export function servedFile(name: string, contentType: string): ServedFile {
  const type = contentType.toLowerCase()
  const kind = mediaKinds.find((one) => one.type === type)
  const fileName = kind ? `${name}.${kind.extension}` : name
  const isShown = kind?.isShown === true
  return {
    isShown,
    contentType: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
    contentDisposition: `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`,
  }
}
