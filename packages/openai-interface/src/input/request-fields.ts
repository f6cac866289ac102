import { GenerationError, toBase64 } from '@genmount/core'
import type { JsonOrForm } from '@genmount/v1-interface'

/**
 * The fields of a request, as JSON has them, whether they came as JSON or as a form. A field that is `null` is absent, as
 * for OpenAI. Files are data URIs: the same file makes the same input, by which a repeated request is recognised.
 */
export type RequestFields = ReadonlyMap<string, unknown>

/** Fields of OpenAI's API that are numbers and flags in JSON, and texts in a form. */
const numbers: ReadonlySet<string> = new Set(['n', 'partial_images'])
const flags: ReadonlySet<string> = new Set(['stream'])

/** @throws GenerationError `invalid_request` */
export async function requestFields(body: JsonOrForm): Promise<RequestFields> {
  if ('form' in body) return formFields(body.form)
  const { json } = body
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new GenerationError('invalid_request', 'The request body must be a JSON object.')
  return new Map(Object.entries(json).filter(([, value]) => value !== null))
}

/** Reads a form. Names such as `image[]` are lists, and `input_reference[image_url]` an object. */
async function formFields(form: FormData): Promise<RequestFields> {
  const fields = new Map<string, unknown>()
  for (const [key, entry] of form) {
    const [, name = key, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key) ?? []
    const value = typeof entry === 'string' ? valueOf(name, entry) : await dataUri(entry)
    const before = fields.get(name)
    if (inner) fields.set(name, { ...(before as object | undefined), [inner]: value })
    else if (inner === '' || before !== undefined) fields.set(name, [...[before ?? []].flat(), value])
    else fields.set(name, value)
  }
  return fields
}

function valueOf(name: string, text: string): unknown {
  if (numbers.has(name) && /^\d+$/.test(text)) return Number(text)
  if (flags.has(name) && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

async function dataUri(file: File): Promise<string> {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(file.type)?.[0] ?? 'application/octet-stream'
  return `data:${type};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`
}

/** A field that is a text. @throws GenerationError `invalid_request` for another value */
export function textField(fields: RequestFields, name: string): string | undefined {
  const value = fields.get(name)
  if (value === undefined || typeof value === 'string') return value
  throw wrong(name, 'a string')
}

/** A field that is a whole number. @throws GenerationError `invalid_request` for another value */
export function numberField(
  fields: RequestFields,
  name: string,
  low: number,
  high: number,
): number | undefined {
  const value = fields.get(name)
  if (value === undefined) return undefined
  if (Number.isInteger(value) && Number(value) >= low && Number(value) <= high) return Number(value)
  throw wrong(name, `a whole number from ${low} to ${high}`)
}

/** A field that is one of these texts. @throws GenerationError `invalid_request` for another value */
export function choiceField<const Choice extends string>(
  fields: RequestFields,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = fields.get(name)
  if (value === undefined) return undefined
  return choices.find((choice) => choice === value) ?? refuse(name, `one of ${choices.join(', ')}`)
}

/** A field that is `true` or `false`. @throws GenerationError `invalid_request` for another value */
export function flagField(fields: RequestFields, name: string): boolean {
  const value = fields.get(name) ?? false
  if (typeof value === 'boolean') return value
  throw wrong(name, 'true or false')
}

/**
 * The pictures or films in a field: URLs, data URIs, references `upload://…`, objects with `image_url` or with the
 * `file_id` of an upload, or a list of these.
 * @throws GenerationError `invalid_request` for another value
 */
export function mediaField(fields: RequestFields, name: string): readonly string[] {
  const value = fields.get(name)
  if (value === undefined) return []
  return [value].flat().map((each) => mediaOf(each) ?? refuse(name, mediaForms))
}

const mediaForms = 'a file, a URL, a data URI, { "image_url": url } or { "file_id": the id of an upload }'

function mediaOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { image_url: url, file_id: id } = value as Readonly<Record<string, unknown>>
  if (typeof url === 'string') return url
  const inner = typeof url === 'object' && url !== null ? (url as { readonly url?: unknown }).url : undefined
  if (typeof inner === 'string') return inner
  return typeof id === 'string' ? `upload://${id}` : undefined
}

function refuse(name: string, words: string): never {
  throw wrong(name, words)
}

function wrong(name: string, words: string): GenerationError {
  return new GenerationError('invalid_request', `${name} must be ${words}.`, { param: name })
}
