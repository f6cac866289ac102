import { fromBase64, mediaTypeOf, type Output, outputUrlFault } from '@genmount/core'

/** A file in an answer, or what the answer has in the place of a file. */
export interface AnsweredFile {
  /** Its place in the answer, such as `data[1].url`. */
  readonly at: string
  /** Absent when it can't be delivered. */
  readonly output?: Output
  /** What is wrong with it, as in `is empty`. Absent when it can be delivered. */
  readonly fault?: string
  /** The text that the answer has in the place of a file: the vendor's words. */
  readonly text?: string
  /** Whether it is a link that a model has written in a text: `provenFiles` finds out what it leads to. @default false */
  readonly isInText?: true | undefined
}

/** Says what is wrong with a link, as in `is no https URL`. @returns `undefined` when the provider accepts the link */
export type LinkFault = (link: string) => string | undefined

/** A data URI. Some servers leave out what comes before the type, or the type as well. */
const isDataUri = /^(?:data:|(?:(?:image|video)\/[\w.+-]+;)?base64,)/i

/** How much of a text in the place of a file goes to the log, in characters. */
const shownLength = 120

/**
 * Reads what an answer has in the place of a file: an https link, a data URI, base64 (padded or not, in lines or not, in
 * the usual alphabet or in the one for URLs), bytes, or a list of bytes, as `JSON.stringify` makes of them.
 * @param isBase64 whether the place is only for base64. In other places a text counts as base64 only if it begins as a
 *   picture or a film does, because a word can look like base64
 */
export function answeredFile(
  value: unknown,
  { at, isBase64, linkFault }: { at: string; isBase64: boolean; linkFault: LinkFault },
): AnsweredFile {
  if (value instanceof Uint8Array) return inBytes(at, value)
  if (isNumbers(value)) {
    const bytes = Uint8Array.from(value as readonly number[])
    return showsType(bytes) ? inBytes(at, bytes) : { at, fault: 'is not a file' }
  }
  if (value === undefined || value === null || value === '') return { at, fault: 'is empty' }
  if (typeof value !== 'string') return { at, fault: 'is not a file' }
  const text = value.trim()
  if (isDataUri.test(text)) {
    const bytes = dataUriBytes(text)
    return bytes ? inBytes(at, bytes) : { at, fault: 'is a data URI that cannot be decoded' }
  }
  const bytes = base64Bytes(text)
  if (bytes && (isBase64 || showsType(bytes))) return inBytes(at, bytes)
  // A link without a scheme has that of the page that it is on.
  if (/^\/\/[\w-]+\.\S+$/.test(text)) return answeredFile(`https:${text}`, { at, isBase64, linkFault })
  const hasScheme = /^[a-z][a-z\d+.-]*:\S+$/i.test(text)
  if (!hasScheme && isBase64 && !/\s/.test(text)) return { at, fault: 'is base64 that cannot be decoded' }
  const fault = hasScheme ? linkFault(text) : relativeFault(text, linkFault)
  if (fault === undefined) return { at, output: { url: text } }
  if (hasScheme) return { at, fault }
  return { at, fault: `is a text: ${text.slice(0, shownLength)}`, text }
}

/** Whether a value is a list of nothing but numbers. */
export function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
}

/** Whether a link may be delivered as it is. */
export const publicLinkFault: LinkFault = outputUrlFault

/** The bytes that a text in base64 stands for; `undefined` when it is not base64, or when there are none. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  // Blanks are in words, not in base64. Of a long text the decoder sees to the rest, in a fraction of the time.
  if (/[^\w+/=\r\n-]/.test(text.slice(0, 1000)) || text.includes('\t') || text.includes('\f'))
    return undefined
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  return bytes && bytes.byteLength > 0 ? bytes : undefined
}

function showsType(bytes: Uint8Array): boolean {
  const type = mediaTypeOf(bytes)
  return type !== undefined && type !== 'application/octet-stream'
}

/** The data may have `%` escapes, also if it is base64: https://www.rfc-editor.org/rfc/rfc2397#section-3 */
function dataUriBytes(uri: string): Uint8Array | undefined {
  const comma = uri.indexOf(',')
  const text = uri.slice(comma + 1).trim()
  try {
    const data = text.includes('%') ? decodeURIComponent(text) : text
    const isBase64 = /\bbase64\s*$/i.test(uri.slice(0, Math.max(0, comma)))
    return isBase64 ? base64Bytes(data) : new TextEncoder().encode(data)
  } catch {
    return undefined
  }
}

/** A text without a scheme can be a link only for a provider that reads links below an address of its own. */
function relativeFault(text: string, linkFault: LinkFault): string | undefined {
  return /\s/.test(text) ? 'is a text' : linkFault(text)
}

function inBytes(at: string, bytes: Uint8Array): AnsweredFile {
  return bytes.byteLength > 0 ? { at, output: { bytes } } : { at, fault: 'is empty' }
}
