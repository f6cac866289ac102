import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject } from '../contracts/json.ts'
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
