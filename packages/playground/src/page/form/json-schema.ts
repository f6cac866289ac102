/** The parts of a JSON Schema (draft 2020-12) that the form understands. Everything is optional, because models differ. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly maxLength?: number
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/**
 * Simplifies a schema for the form: it replaces each reference by its target, and removes `null` from the types of a
 * field.
 */
export function plainSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  const { $ref: _, ...own } = schema
  const target = name === undefined ? undefined : root.$defs?.[name]
  const merged: JsonSchema = Object.assign({}, target, ...(schema.allOf ?? []), own)
  const choices = (merged.anyOf ?? merged.oneOf)?.filter(({ type }) => type !== 'null')
  const [only] = choices ?? []
  if (choices?.length === 1 && only) {
    const { anyOf: _any, oneOf: _one, ...rest } = merged
    return plainSchema({ ...only, ...rest }, root)
  }
  const type = Array.isArray(merged.type) ? merged.type.find((one) => one !== 'null') : merged.type
  return { ...merged, ...(type !== undefined && { type }) }
}
