import type { Json, JsonObject } from '../contracts/json.ts'
import { sha256Hex } from './sha256-hex.ts'

const dataUri = /^data:([^;,]*)((?:;[^;,]*)*),/

/** The input as its owner is shown it: a short placeholder (type, size, SHA-256) instead of each data URI. */
export async function shownInput(task: JsonObject): Promise<JsonObject> {
  return (await shown(task)) as JsonObject
}

async function shown(value: Json): Promise<Json> {
  if (typeof value === 'string') return value.startsWith('data:') ? placeholderFor(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map(shown))
  const entries = Object.entries(value).map(async ([key, part]) => [key, await shown(part)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function placeholderFor(uri: string): Promise<string> {
  const [head, mediaType, parameters] = dataUri.exec(uri) ?? []
  if (head === undefined) return uri
  const bytes = bytesOf(uri.slice(head.length), parameters?.endsWith(';base64') ?? false)
  return `[data URI: ${mediaType || 'text/plain'}, ${bytes.byteLength} bytes, sha256 ${await sha256Hex(bytes)}]`
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
