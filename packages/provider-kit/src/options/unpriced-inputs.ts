import type { Model } from '@genmount/core'
import { recordOf } from '../client/record-of.ts'

/**
 * Finds the inputs of a model for which a price table has no amount. It reads the JSON Schema of the input, so it finds
 * nothing if the schema has no JSON Schema.
 * @param name the option's name, for error messages
 * @param price the option, which has been checked. Prices other than tables `{ by, usd }` leave nothing out
 * @returns the inputs in words, such as `resolution 4k, or no resolution`; `undefined` when all have an amount
 * @throws TypeError when the input lacks the field of the table
 */
export function unpricedInputs(name: string, price: unknown, input: Model['input']): string | undefined {
  const { by, usd } = recordOf(price)
  if (typeof by !== 'string') return undefined
  const schema = schemaOf(input)
  const fields = recordOf(schema['properties'])
  if (schema['additionalProperties'] !== false) return undefined
  if (!Object.hasOwn(fields, by)) {
    const fieldNames = Object.keys(fields).join(', ')
    throw new TypeError(`${name}.by must be one of the fields of the input (${fieldNames}), not ${by}.`)
  }
  const priced = Object.keys(recordOf(usd))
  const { default: usual } = recordOf(fields[by])
  const values = valuesOf(fields[by])
  const unpriced = values?.filter((value) => !priced.includes(value))
  const isLeftOut = usual === undefined && ![schema['required']].flat().includes(by)
  const gaps = [
    ...(unpriced === undefined ? [`${by} other than ${priced.join(', ')}`] : []),
    ...(unpriced?.length ? [`${by} ${unpriced.join(', ')}`] : []),
    ...(isLeftOut ? [`no ${by}`] : []),
  ]
  return gaps.length === 0 ? undefined : gaps.join(', or ')
}

/** All values that a field can have, as texts; `undefined` when they cannot be counted. */
function valuesOf(field: unknown): readonly string[] | undefined {
  const { enum: values, type } = recordOf(field)
  if (Array.isArray(values)) return values.map(String)
  return type === 'boolean' ? ['false', 'true'] : undefined
}

function schemaOf(input: Model['input']): Readonly<Record<string, unknown>> {
  const { jsonSchema } = input['~standard'] as {
    readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
  }
  try {
    return recordOf(jsonSchema?.input({ target: 'draft-2020-12' }))
  } catch {
    // A schema with a part that JSON Schema cannot express.
    return {}
  }
}
