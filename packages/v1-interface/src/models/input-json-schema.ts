import type { Model } from '@genmount/core'

/** A JSON Schema that is an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a Standard JSON Schema has beside its validation (https://standardschema.dev/json-schema). */
interface JsonSchemaSource {
  readonly jsonSchema?: { input(options: { readonly target: string }): unknown }
}

/**
 * The JSON Schema (draft 2020-12) of a model's input, as its own schema gives it.
 * @returns `undefined` when the schema gives none, or can't say in JSON Schema what it accepts
 */
export function inputJsonSchema({ input }: Model): JsonSchema | undefined {
  const standard = input['~standard'] as JsonSchemaSource
  try {
    const schema = standard.jsonSchema?.input({ target: 'draft-2020-12' })
    // The copy holds only what JSON can hold: a default may be a Date or a bigint.
    return schema === undefined ? undefined : (JSON.parse(JSON.stringify(schema)) as JsonSchema)
  } catch {
    return undefined
  }
}
