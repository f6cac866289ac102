import type { Json, JsonObject } from '../contracts/json.ts'
import { sha256Hex } from './sha256-hex.ts'

/** A data URI up to its content: media type, parameters, comma (RFC 2397 section 3). */
const dataUri = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+-]+(?:=[^\s;,]*)?)*),/i

/** The input as its owner is shown it: a short placeholder (type, size, SHA-256) instead of each data URI. */
export async function shownInput(task: JsonObject): Promise<JsonObject> {
  return (await shown(task)) as JsonObject
}

async function shown(value: Json): Promise<Json> {
  if (typeof value === 'string') return shownText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map(shown))
  const entries = Object.entries(value).map(async ([key, part]) => [key, await shown(part)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function shownText(text: string): Promise<string> {
  const [head, mediaType = 'text/plain', parameters = ''] = dataUri.exec(text) ?? []
  if (head === undefined) return text
  const bytes = bytesOf(text.slice(head.length), /;base64$/i.test(parameters))
  return `[data URI: ${mediaType.slice(0, 127)}, ${bytes.byteLength} bytes, sha256 ${await sha256Hex(bytes)}]`
}

function bytesOf(content: string, isBase64: boolean): Uint8Array<ArrayBuffer> {
  try {
    return isBase64
      ? Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(decodeURIComponent(content))
  } catch {
    return new TextEncoder().encode(content)
  }
}
