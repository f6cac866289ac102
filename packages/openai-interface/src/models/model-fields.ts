import type { Model } from '@genmount/core'
import { type FieldSchema, modelFields as fieldsIn } from '@genmount/client/model-fields'
import { inputJsonSchema } from '@genmount/v1-interface'

/** What the JSON Schema of a model's input says about one field. */
export interface ModelField {
  /** The values that it accepts, if they are listed. */
  readonly choices: readonly (string | number)[] | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly multipleOf: number | undefined
  readonly takesText: boolean
  readonly takesNumber: boolean
  readonly takesFlag: boolean
  /** Whether it accepts a list, and how many items at most. */
  readonly list: { readonly maxItems: number } | undefined
}

/** The fields of a model's input by name. */
export type ModelFields = ReadonlyMap<string, ModelField>

type Root = NonNullable<ReturnType<typeof inputJsonSchema>>

const remembered = new WeakMap<Model, ModelFields | undefined>()

/** The fields that a model accepts. `undefined` when its schema can't be read as JSON Schema. */
export function modelFields(model: Model): ModelFields | undefined {
  if (remembered.has(model)) return remembered.get(model)
  const entries = entriesOf(inputJsonSchema(model) ?? {})
  const fields = entries.length === 0 ? undefined : new Map(entries)
  remembered.set(model, fields)
  return fields
}

/** The fields of a schema and of its parts. The references of a part go by the definitions of the whole. */
function entriesOf(schema: Root, { $defs } = schema): (readonly [string, ModelField])[] {
  const { fields = new Map() } = fieldsIn({ input_schema: { $defs, ...schema } }) ?? {}
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Root[]) : []
  const own = [...fields].map(([name, { schema: field, types }]) => [name, fieldOf(field, types)] as const)
  return [...own, ...parts.flatMap((part) => entriesOf({ $defs, ...part }))]
}

function fieldOf(schema: FieldSchema, types: ReadonlySet<string>): ModelField {
  const parts = alternatives(schema)
  const listed = parts.flatMap((part) => part.enum ?? ('const' in part ? [part.const] : []))
  const choices = listed.filter((value) => typeof value === 'string' || typeof value === 'number')
  const list = parts.find(({ type }) => [type].flat().includes('array'))
  const first = (key: 'maximum' | 'minimum' | 'multipleOf') =>
    parts.find((part) => part[key] !== undefined)?.[key]
  return {
    choices: choices.length > 0 ? choices : undefined,
    minimum: first('minimum'),
    maximum: first('maximum'),
    multipleOf: first('multipleOf'),
    takesText: types.has('string'),
    takesNumber: types.has('number') || types.has('integer'),
    takesFlag: types.has('boolean'),
    list: list && { maxItems: list.maxItems ?? Infinity },
  }
}

function alternatives(schema: FieldSchema): readonly FieldSchema[] {
  const { anyOf = [], oneOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf].flatMap(alternatives)]
}
