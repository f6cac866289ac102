import { jsonTypeOf, type ModelField } from '@genmount/client/model-fields'
import { UsageError } from '../program/usage-error.ts'

/**
 * Turns the text of an option into the value of a field. If the text is JSON of a type that the field accepts, other
 * than a string, the value is the parsed JSON. Otherwise the value is the text itself, if the field accepts a string.
 * Without a field, the value is the parsed JSON if the text is JSON, and the text itself if not.
 * @throws UsageError that says what the field takes
 */
export function fieldValue(name: string, text: string, field: ModelField | undefined): unknown {
  const types = field?.types ?? new Set()
  const json = parsed(text)
  if (types.size === 0) return json === undefined ? text : json
  if (json !== undefined && typeof json !== 'string' && accepts(types, json)) return json
  if (types.has('string')) return text
  throw new UsageError(
    `--field ${name} takes ${[...types].map((type) => words.get(type) ?? type).join(' or ')}, not "${text}".`,
  )
}

const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list in JSON, such as [1, 2]',
    object: 'an object in JSON, such as {"a": 1}',
    null: 'null',
  }),
)

function accepts(types: ReadonlySet<string>, value: unknown): boolean {
  const type = jsonTypeOf(value)
  return types.has(type) || (type === 'integer' && types.has('number'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
