import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'

/**
 * The input as the model's schema gives it back, as JSON.
 * @throws GenerationError `missing_field` or `invalid_request` that names the first field at fault
 */
export async function validateInput(
  model: Model,
  input: Readonly<Record<string, unknown>>,
): Promise<JsonObject> {
  const result = await model.input['~standard'].validate(input)
  if (!result.issues) return JSON.parse(JSON.stringify(result.value)) as JsonObject
  const issue = result.issues[0]
  const path = (issue?.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment))
  throw new GenerationError(
    isMissing(input, path) ? 'missing_field' : 'invalid_request',
    messageOf(issue, path),
    {
      param: path.join('.') || 'input',
    },
  )
}

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key]
  return value === undefined
}

function messageOf(issue: StandardSchemaV1.Issue | undefined, path: readonly PropertyKey[]): string {
  const message = issue?.message ?? 'The input does not fit the model.'
  const field = path.join('.')
  return field === '' || message.includes(field) ? message : `${field}: ${message}`
}
