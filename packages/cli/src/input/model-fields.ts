import type { Model } from '@genmount/client'

/** The parts of a JSON Schema that this program reads. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly FieldSchema[]
  readonly oneOf?: readonly FieldSchema[]
  readonly allOf?: readonly FieldSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

/** The fields that a model takes, by their names. */
export interface ModelFields {
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
  /** Whether the model refuses all other fields. */
  readonly isClosed: boolean
}

/** @returns `undefined` if the service does not know the fields */
export function fieldsOf({ input_schema: schema }: Model): ModelFields | undefined {
  if (schema === null) return undefined
  const { properties, required, additionalProperties } = schema
  if (typeof properties !== 'object' || properties === null) return undefined
  return {
    properties: properties as ModelFields['properties'],
    required: Array.isArray(required) ? required : [],
    isClosed: additionalProperties === false,
  }
}

/** The JSON types that a field accepts. An empty set means that the schema does not say. */
export function typesOf(schema: FieldSchema): ReadonlySet<string> {
  const { type, anyOf = [], oneOf = [], allOf = [], enum: choices = [], const: only } = schema
  const named = typeof type === 'string' ? [type] : (type ?? [])
  const values = only === undefined ? choices : [...choices, only]
  return new Set([
    ...named,
    ...(named.length === 0 ? values.map(typeOf) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => [...typesOf(part)]),
  ])
}

/** The JSON type of a value. Whole numbers are `integer`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
