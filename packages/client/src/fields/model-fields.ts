import type { Model } from '../wire/model.ts'

/** The parts of a field's JSON Schema (draft 2020-12) that say what a value must be. A server may send more. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly maxLength?: number
  readonly items?: FieldSchema
  readonly maxItems?: number
  readonly anyOf?: readonly FieldSchema[]
  readonly oneOf?: readonly FieldSchema[]
  readonly not?: FieldSchema
}

/** One field of a model's input. */
export interface ModelField {
  /** Its schema as the server sends it. */
  readonly schemaAsSent: FieldSchema
  /**
   * Its schema in a plain form: references within the model's schema are replaced by their targets, the parts of `allOf`
   * are merged, and `null` is left out. Choices are in `anyOf`, also those of `oneOf`; the only one is merged as well.
   */
  readonly schema: FieldSchema
  /** The JSON types that it accepts, as `jsonTypeOf` names them. Empty if the schema does not say. */
  readonly types: ReadonlySet<string>
  /** Whether a create needs it. */
  readonly isRequired: boolean
}

/** What a model's schema says about the fields of its input. */
export interface ModelFields {
  /** The fields by their names, in the order of the schema. */
  readonly fields: ReadonlyMap<string, ModelField>
  /** Whether the model refuses all other fields. */
  readonly isClosed: boolean
}

/** The most references that are followed in one model's schema, because a schema may refer to itself. */
const maxReferences = 1000

/**
 * Reads the fields that a model takes.
 * @returns `undefined` if the server does not know the fields
 * @example modelFields(await client.model('flux'))?.fields.get('num_outputs')?.schema.maximum // 4
 */
export function modelFields({ input_schema: root }: Pick<Model, 'input_schema'>): ModelFields | undefined {
  const { properties, required, additionalProperties } = root ?? {}
  if (!isObject(properties)) return undefined
  const needed = listOf(required)
  const resolve = resolver(root)
  const fields = Object.entries(properties).map(([name, schemaAsSent]): [string, ModelField] => {
    const schema = resolve(schemaAsSent)
    const isRequired = needed.includes(name)
    return [
      name,
      {
        schemaAsSent: schemaAsSent as FieldSchema,
        schema: withoutNull(schema),
        types: typesOf(schema),
        isRequired,
      },
    ]
  })
  return { fields: new Map(fields), isClosed: additionalProperties === false }
}

/** The JSON type of a value, such as `array`. Whole numbers are `integer`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Makes the function that puts what a schema refers to in place of its references, and merges its `allOf`. */
function resolver(root: unknown): (schemaAsSent: unknown) => FieldSchema {
  let references = 0

  /** Reads a JSON pointer into the model's schema (RFC 6901). */
  function target(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#/') || ++references > maxReferences) return
    return reference
      .slice(2)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined), root)
  }

  return function resolve(schemaAsSent: unknown): FieldSchema {
    if (!isObject(schemaAsSent)) return {}
    const { $ref, allOf, ...own } = schemaAsSent
    const { items, anyOf, oneOf, ...rest } = own
    return Object.assign({}, resolve(target($ref)), ...listOf(allOf).map(resolve), rest, {
      ...(items !== undefined && { items: resolve(items) }),
      ...(anyOf !== undefined && { anyOf: listOf(anyOf).map(resolve) }),
      ...(oneOf !== undefined && { oneOf: listOf(oneOf).map(resolve) }),
    })
  }
}

function typesOf({
  type,
  anyOf = [],
  oneOf = [],
  enum: choices,
  ...schema
}: FieldSchema): ReadonlySet<string> {
  const values = [...listOf(choices), ...('const' in schema ? [schema.const] : [])]
  const named =
    type === undefined ? values.map(jsonTypeOf) : [type].flat().filter((name) => typeof name === 'string')
  return new Set([...named, ...[...anyOf, ...oneOf].flatMap((part) => [...typesOf(part)])])
}

/** Takes `null` out of a schema without references. */
function withoutNull({ anyOf, oneOf, type, ...rest }: FieldSchema): FieldSchema {
  const choices = (anyOf ?? oneOf ?? []).filter((choice) => choice.type !== 'null').map(withoutNull)
  const types = [type ?? []].flat().filter((name) => name !== 'null')
  return {
    ...(choices.length === 1 ? choices[0] : choices.length > 0 && { anyOf: choices }),
    ...(types.length > 0 && { type: types.length === 1 ? types[0]! : types }),
    ...rest,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
