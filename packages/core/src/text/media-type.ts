import { mediaKinds, svgType } from './media-kinds.ts'

/** How many bytes of a file {@link mediaTypeOf} reads at most. */
export const judgedBytes = 4096

const unknownType = 'application/octet-stream'

/** Pictures and videos, but not `image/svg+xml`, which can contain scripts. */
const harmless = /^(image|video)\/[\w.-]+$/

/** The first tag of a drawing. */
const firstTag = /<svg[\s/>]/y
/** What may stand before it: an XML declaration, comments, and the document type of a drawing. */
const prolog = /(?:\s+|<\?xml\s[^>]*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)/iy

/** Brands of ISO base media files (ISO/IEC 14496-12, 4.3) that are no `video/mp4`. */
const brands: readonly (readonly [RegExp, string])[] = [
  [/^avi[fs]/, 'image/avif'],
  [/^he[iv][cmsx]/, 'image/heic'],
  [/^mi[fa][1f2]|^msf1|^avc[is]/, 'image/heif'],
  [/^qt/, 'video/quicktime'],
  [/^(M4[ABP]|F4[AB]) /, 'audio/mp4'],
  [/^3g/, 'video/3gpp'],
]

/**
 * Recognises the media type of a file by its first bytes. A text of any kind is no media: a page, JSON, or the words of
 * an error. Neither is a compressed file, such as a compressed page.
 * @param bytes the file, or at least its first 4096 bytes
 * @param named the type that the provider reports. It counts only if the first bytes show no type, and only for a type
 * of picture or video that can't be recognised by first bytes
 * @returns the media type; `application/octet-stream` when it is not known; `undefined` for what is no media, and for no
 * bytes at all
 */
export function mediaTypeOf(bytes: Uint8Array, named = ''): string | undefined {
  const isBegunBy = (beginning: string) => begins(bytes, beginning)
  // No brand begins with a blank, but the next word of a text does.
  if (isBegunBy('????ftyp') && bytes[8] !== 0x20) return typeOfBrands(headOf(bytes))
  if (isText(bytes)) return isDrawing(bytes) ? svgType : undefined
  if (compressed.some(isBegunBy)) return undefined
  const displayedKind = mediaKinds.find(({ beginnings }) => beginnings.some(isBegunBy))
  if (displayedKind?.type === 'video/webm' && headOf(bytes).includes('matroska')) return 'video/x-matroska'
  if (displayedKind?.type === 'audio/ogg' && headOf(bytes).includes('\x80theora')) return 'video/ogg'
  if (displayedKind) return displayedKind.type
  const type = named.toLowerCase()
  return harmless.test(type) && !mediaKinds.some((kind) => kind.type === type) ? type : unknownType
}

/** Whether further bytes of a file can't change its type. */
export function isJudged(head: Uint8Array): boolean {
  if (head.byteLength >= judgedBytes) return true
  const type = mediaTypeOf(head)
  return type !== undefined && !openTypes.has(type)
}

/** Types that are told from others only by later bytes: by compatible brands, and by the kind of a container. */
const openTypes: ReadonlySet<string> = new Set([
  unknownType,
  'image/heif',
  'video/mp4',
  'video/webm',
  'audio/ogg',
])

/** The first bytes of what gzip, zstd and deflate (RFC 1950, at each of its levels) have made. */
const compressed = ['\x1f\x8b', '\x28\xb5\x2f\xfd', 'x\x01', 'x\x5e', 'x\x9c', 'x\xda']

function begins(bytes: Uint8Array, beginning: string): boolean {
  for (let i = 0; i < beginning.length; i++)
    if (beginning[i] !== '?' && beginning.charCodeAt(i) !== bytes[i]) return false
  return bytes.byteLength >= beginning.length
}

/** The first bytes of a file, one character each. Made only where it is searched, because that takes longer than all else. */
function headOf(bytes: Uint8Array, length = judgedBytes): string {
  return String.fromCharCode(...bytes.subarray(0, length))
}

/**
 * The first brand decides. If it does not say how a picture is coded, or is not of a picture, AVIF and HEIC are also
 * searched for among the compatible brands, which follow it.
 */
function typeOfBrands(head: string): string {
  const size = 256 * head.charCodeAt(2) + head.charCodeAt(3)
  const compatible = head.slice(16, Math.max(16, size)).match(/[^]{4}/g) ?? []
  const types = [head.slice(8, 12), ...compatible].map((brand) => brands.find(([is]) => is.test(brand))?.[1])
  const [first = 'video/mp4'] = types
  const isOpen = first === 'video/mp4' || first === 'image/heif'
  return (isOpen && types.find((type) => type === 'image/avif' || type === 'image/heic')) || first
}

/** Texts of two bytes a character, with a mark of their order or without. */
const isWide = /^(?:\xff\xfe|\xfe\xff|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4})/
const isTagged = /^(?:\xef\xbb\xbf)?\s*<[!?a-z]/i
const isJson = /^(?:\xef\xbb\xbf)?\s*[{[]\s*["{[]/
const mayBeMarked = /^[\xef\s<{[]/

function isText(bytes: Uint8Array): boolean {
  const start = headOf(bytes, 8)
  if (isWide.test(start)) return true
  if (mayBeMarked.test(start)) {
    const head = headOf(bytes)
    if (isTagged.test(head) || isJson.test(head)) return true
  }
  const end = Math.min(bytes.byteLength, judgedBytes)
  for (let i = 0; i < end; i++) if (isBinary(bytes[i]!)) return false
  return true
}

/** Whether no text has this byte: https://mimesniff.spec.whatwg.org/#binary-data-byte */
function isBinary(byte: number): boolean {
  return byte < 9 || byte === 11 || (byte > 13 && byte < 32 && byte !== 27)
}

function isDrawing(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, judgedBytes))
  let at = 0
  for (let end = endOf(prolog, text, at); end > at; end = endOf(prolog, text, at)) at = end
  return endOf(firstTag, text, at) > 0
}

/** Where a match that begins at this place ends; -1 when there is none. */
function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : -1
}
