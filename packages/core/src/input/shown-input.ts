import type { Json, JsonObject } from '../contracts/json.ts'
import { fromBase64 } from '../text/base64.ts'
import { mapTexts, someText, textsIn } from '../text/json-values.ts'
import { sha256Hex } from '../text/sha256-hex.ts'

/** The part of a data URI before its content: media type, parameters and comma (RFC 2397 section 3). */
const dataUri = /^data:([\w.+-]+\/[\w.+-]+)?(;[^\s,]*)?,/i

/**
 * How many placeholders get a hash. One hash takes about 50 microseconds, more than all other work for a placeholder.
 */
const maxHashed = 100

/**
 * The longest text that is shown in full, in characters. There is a limit because the shown input is stored and read
 * with the job each time.
 */
const longestShown = 65_536

/**
 * Makes the input that the owner is shown. A short placeholder replaces each data URI and each text of more than 65536
 * characters. A placeholder contains type and size, and the first 100 placeholders also the SHA-256.
 */
export function shownInput(input: JsonObject): JsonObject | Promise<JsonObject> {
  return someText(input, isHidden) ? withPlaceholders(input) : input
}

/**
 * Whether the shown input is the whole input, because nothing in it looks like a placeholder. A client's text that looks
 * like a placeholder counts as a placeholder.
 */
export function isWhole(value: Json): boolean {
  return !someText(value, (text) => /^\[(?:data URI|text): .*\]$/s.test(text))
}

async function withPlaceholders(input: JsonObject): Promise<JsonObject> {
  const placeholders = new Map<string, string>()
  for (const text of new Set(textsIn(input, isHidden)))
    placeholders.set(text, await placeholderOf(text, placeholders.size < maxHashed))
  return mapTexts(input, (text) => placeholders.get(text) ?? text) as JsonObject
}

function isHidden(text: string): boolean {
  return text.length > longestShown || dataUri.test(text)
}

function placeholderOf(text: string, isHashed: boolean): Promise<string> {
  const [head, mediaType = 'text/plain', parameters = ''] = dataUri.exec(text) ?? []
  if (head === undefined) {
    const bytes = new TextEncoder().encode(text)
    return placeholder('text', `${text.length} characters`, isHashed ? bytes : undefined)
  }
  const bytes = bytesOf(text.slice(head.length), /^;base64$/i.test(parameters.slice(-7)))
  const size = `${mediaType.slice(0, 127)}, ${bytes.byteLength} bytes`
  return placeholder('data URI', size, isHashed ? bytes : undefined)
}

async function placeholder(
  what: string,
  size: string,
  hashed: Uint8Array<ArrayBuffer> | undefined,
): Promise<string> {
  return `[${what}: ${size}${hashed ? `, sha256 ${await sha256Hex(hashed)}` : ''}]`
}

/** Content that is not valid base64, although it claims to be, counts as text. */
function bytesOf(content: string, isBase64: boolean): Uint8Array<ArrayBuffer> {
  return (isBase64 ? fromBase64(content) : percentDecoded(content)) ?? new TextEncoder().encode(content)
}

function percentDecoded(content: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new TextEncoder().encode(decodeURIComponent(content))
  } catch {
    return undefined
  }
}
