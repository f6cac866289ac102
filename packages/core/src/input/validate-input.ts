import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject, Json } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { jsonCopy } from '../text/json-values.ts'
import { shortText } from '../text/short-text.ts'

/**
 * Validates the input with the model's schema.
 * @returns what the schema returns, as a copy in JSON; a promise if the schema returns one
 * @throws GenerationError `missing_field` or `invalid_request`, which names the first field that is wrong
 * @throws TypeError when the schema returns something other than an object
 */
export function validateInput(
  model: Model,
  input: Readonly<Record<string, unknown>>,
): JsonObject | Promise<JsonObject> {
  const read = (result: StandardSchemaV1.Result<unknown>) => readResult(model, input, result)
  const validated = model.input['~standard'].validate(input)
  return 'then' in validated ? Promise.resolve(validated).then(read) : read(validated)
}

function readResult(
  model: Model,
  input: Readonly<Record<string, unknown>>,
  result: StandardSchemaV1.Result<unknown>,
): JsonObject {
  if (!result.issues) return jsonObject(model, result.value)
  const issue = result.issues[0]
  const path = (issue?.path ?? []).map((segment) => (typeof segment === 'object' ? segment?.key : segment))
  const field = shortText(path.map(String).join('.'))
  throw new GenerationError(
    isMissing(input, path) ? 'missing_field' : 'invalid_request',
    messageOf(issue, field),
    { param: field || 'input' },
  )
}

function jsonObject(model: Model, value: unknown): JsonObject {
  const copy = jsonCopy(value)
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return copy as JsonObject
  throw new TypeError(`The input schema of model ${model.id} must return an object.`)
}

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key]
  return value === undefined
}

function messageOf(issue: StandardSchemaV1.Issue | undefined, field: string): string {
  const message = shortText(issue?.message ?? 'The input does not fit the model.')
  return field === '' || message.includes(field) ? message : `${field}: ${message}`
}

/** The first text that no vendor can read, and the names of the fields that lead to it. */
interface Fault {
  readonly words: string
  readonly path: readonly string[]
}

/**
 * Refuses texts, names of fields included, that contain NUL or half of a surrogate pair. JSON can express both, but
 * many vendors' servers fail on them, after which nobody knows whether the vendor has taken the task on.
 * @param field the name of the field that has the value. @default none: the names in messages begin within the value
 * @throws GenerationError `invalid_request` that names the first such field
 */
export function checkTexts(value: Json, field?: string): void {
  const fault = faultIn(value)
  if (!fault) return
  const name = shortText([...(field === undefined ? [] : [field]), ...fault.path].join('.'))
  throw new GenerationError('invalid_request', `${name} contains ${fault.words}, which no vendor can read.`, {
    param: field ?? name,
  })
}

function faultIn(value: Json): Fault | undefined {
  if (typeof value === 'string') return faultOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = faultIn(value[index] as Json)
      if (fault) return within(String(index), fault)
    }
    return undefined
  }
  for (const [key, part] of Object.entries(value)) {
    const fault = faultOf(key) ?? faultIn(part)
    if (fault) return within(key, fault)
  }
  return undefined
}

function within(key: string, { words, path }: Fault): Fault {
  return { words, path: [key, ...path] }
}

function faultOf(text: string): Fault | undefined {
  if (text.includes('\0')) return { words: 'the character NUL (U+0000)', path: [] }
  return text.isWellFormed() ? undefined : { words: 'half of a surrogate pair', path: [] }
}

/** The limits of a job's metadata. Lengths are in characters (UTF-16 code units). */
const metadataLimits = { keys: 16, keyLength: 64, valueLength: 512 }

/**
 * Checks the metadata that a client has set.
 * @returns a copy; `undefined` for `undefined`, `null` and an empty object
 * @throws GenerationError `invalid_request`, which says what is accepted
 */
export function checkMetadata(value: unknown): Readonly<Record<string, string>> | undefined {
  const { keys, keyLength, valueLength } = metadataLimits
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal('must be an object')
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
  if (entries.length === 0) return undefined
  if (entries.length > keys) throw refusal(`may have at most ${keys} keys`)
  for (const [key, text] of entries) {
    if (key === '' || key.length > keyLength || key === '__proto__')
      throw refusal(`may have keys of 1 to ${keyLength} characters, other than __proto__`)
    if (typeof text !== 'string' || text.length > valueLength)
      throw refusal(`must be a text of at most ${valueLength} characters`, `.${key}`)
  }
  const metadata = Object.fromEntries(entries) as Record<string, string>
  checkTexts(metadata, 'metadata')
  return metadata
}

function refusal(rule: string, place = ''): GenerationError {
  return new GenerationError('invalid_request', `metadata${place} ${rule}.`, { param: 'metadata' })
}
