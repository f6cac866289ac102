import type { Model } from '@genmount/core'
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
  /** Whether it accepts a list, and how many items at most. */
  readonly list: { readonly maxItems: number } | undefined
}

/** The fields of a model's input by name. */
export type ModelFields = ReadonlyMap<string, ModelField>

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const remembered = new WeakMap<Model, ModelFields | undefined>()

/** The fields that a model accepts. `undefined` when its schema can't be read as JSON Schema. */
export function modelFields(model: Model): ModelFields | undefined {
  if (remembered.has(model)) return remembered.get(model)
  const properties = propertiesOf((inputJsonSchema(model) ?? {}) as Schema)
  const entries = properties.map(([name, schema]) => [name, fieldOf(schema)] as const)
  const fields = entries.length === 0 ? undefined : new Map(entries)
  remembered.set(model, fields)
  return fields
}

function propertiesOf({ properties = {}, allOf = [] }: Schema): (readonly [string, Schema])[] {
  return [...Object.entries(properties), ...allOf.flatMap(propertiesOf)]
}

function fieldOf(schema: Schema): ModelField {
  const parts = alternatives(schema)
  const listed = parts.flatMap(
    ({ enum: values, const: value }) => values ?? (value === undefined ? [] : [value]),
  )
  const choices = listed.filter((value) => typeof value === 'string' || typeof value === 'number')
  const has = (...types: string[]) =>
    parts.some(({ type }) => types.some((name) => [type].flat().includes(name)))
  const list = parts.find(({ type }) => [type].flat().includes('array'))
  const first = <Key extends keyof Schema>(key: Key) => parts.find((part) => part[key] !== undefined)?.[key]
  return {
    choices: choices.length > 0 ? choices : undefined,
    minimum: first('minimum'),
    maximum: first('maximum'),
    multipleOf: first('multipleOf'),
    takesText: has('string') || choices.some((value) => typeof value === 'string'),
    takesNumber: has('number', 'integer') || choices.some((value) => typeof value === 'number'),
    list: list && { maxItems: list.maxItems ?? Infinity },
  }
}

function alternatives(schema: Schema): readonly Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternatives)]
}
