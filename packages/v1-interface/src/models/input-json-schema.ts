import type { Model } from '@genmount/core'

/** A JSON Schema that is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The part of a Standard JSON Schema besides its validation (https://standardschema.dev/json-schema). */
interface JsonSchemaSource {
  readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
}

/**
 * The JSON Schema (draft 2020-12) of a model's input, from the model's own schema.
 * @returns `undefined` when that schema has none, or can't be expressed as JSON Schema
 */
export function inputJsonSchema({ input }: Model): JsonSchema | undefined {
  const standard = input['~standard'] as JsonSchemaSource
  try {
    const schema = standard.jsonSchema?.input({ target: 'draft-2020-12' })
    // The copy contains only JSON values: a default in the schema may be a Date or a bigint.
    return schema === undefined ? undefined : (JSON.parse(JSON.stringify(schema)) as JsonSchema)
  } catch {
    return undefined
  }
}
