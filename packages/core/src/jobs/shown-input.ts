import type { Json, JsonObject } from '../contracts/json.ts'
import { sha256Hex } from './sha256-hex.ts'

/** A data URI up to its content: media type, parameters, comma (RFC 2397 section 3). */
const dataUri = /^data:([\w.+-]+\/[\w.+-]+)?(;[^\s,]*)?,/i

/** How many data URIs of an input are hashed: each takes some 50 microseconds, more than all else that is done for it. */
const maxHashed = 100

/** The input as its owner is shown it: a short placeholder instead of each data URI: type, size, and of the first 100 SHA-256. */
export async function shownInput(task: JsonObject): Promise<JsonObject> {
  const uris = new Set<string>()
  addDataUris(task, uris)
  if (uris.size === 0) return task
  const placeholders = new Map<string, string>()
  for (const uri of uris) placeholders.set(uri, await placeholderOf(uri, placeholders.size < maxHashed))
  return mapTexts(task, (text) => placeholders.get(text) ?? text) as JsonObject
}

function addDataUris(value: Json, uris: Set<string>): void {
  if (typeof value === 'string') {
    if (dataUri.test(value)) uris.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Array.isArray(value) ? value : Object.values(value)) addDataUris(part, uris)
  }
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change)]))
}

async function placeholderOf(uri: string, isHashed: boolean): Promise<string> {
  const [head = '', mediaType = 'text/plain', parameters = ''] = dataUri.exec(uri) ?? []
  const bytes = bytesOf(uri.slice(head.length), /^;base64$/i.test(parameters.slice(-7)))
  const hash = isHashed ? `, sha256 ${await sha256Hex(bytes)}` : ''
  return `[data URI: ${mediaType.slice(0, 127)}, ${bytes.byteLength} bytes${hash}]`
}

function bytesOf(content: string, isBase64: boolean): Uint8Array<ArrayBuffer> {
  try {
    return isBase64 ? fromBase64(content) : new TextEncoder().encode(decodeURIComponent(content))
  } catch {
    return new TextEncoder().encode(content)
  }
}

/** A plain loop, because `Uint8Array.from` takes two seconds over 15 MB, in which nobody else is served. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
