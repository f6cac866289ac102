import { mediaTypeOf } from './media-type.ts'

/** How many bytes of a file {@link outputTypeOf} reads at most. */
export const outputTypeBytes = 1024

const unknownType = 'application/octet-stream'

/** The type of drawings. They may contain scripts, so they are served as a download, in a sandbox. */
export const svgType = 'image/svg+xml'

/** What may stand before the first tag: an XML declaration, comments, and the document type of a drawing. */
const prolog = /^(?:\s+|<\?xml\s[^>]*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s+svg[^>[]*>)/i

/**
 * Recognises the media type of an output: as `mediaTypeOf` does, and a drawing (SVG) by its first tag.
 * @param bytes the file, or at least its first 1024 bytes
 * @param named the type that the provider reports
 * @returns the media type, or `application/octet-stream` when it is not known
 */
export function outputTypeOf(bytes: Uint8Array, named = ''): string {
  const type = mediaTypeOf(bytes, named)
  return type === unknownType && isSvg(bytes) ? svgType : type
}

function isSvg(bytes: Uint8Array): boolean {
  let text = new TextDecoder().decode(bytes.subarray(0, outputTypeBytes))
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(prolog, '')
  }
  return /^<svg[\s/>]/.test(text)
}
