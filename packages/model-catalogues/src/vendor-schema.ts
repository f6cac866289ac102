import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The vendors that have a catalogue. */
export type Vendor = 'fal' | 'replicate'

/** A part of a schema: what constrains a value, without the vendor's prose. */
export interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Property[]
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  /** The vendor's schema refers to a list of choices that was not published with it, so nobody knows the choices. */
  readonly 'x-unpublished'?: true
}

/** The input of a vendor's model, as the vendor has published it, in JSON Schema. */
export interface VendorSchema extends Property {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Property>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** A schema that is kept here. */
export interface SchemaFixture {
  /** The vendor's id of the model: an endpoint of fal, an owner and a name at Replicate. */
  readonly model: string
  /** Where the schema was read. */
  readonly source: string
  /** The day of which the vendor's schema is: `2026-08-02`. */
  readonly date: string
  readonly schema: VendorSchema
  /** What the vendor's page says about the price. Absent when no page was read. */
  readonly price?: string | undefined
}

/** The folder with the kept schemas. */
export const schemasFolder: string = join(import.meta.dirname, '../schemas')

/** The kept schemas of a vendor, by the model. */
export function keptSchemas(
  vendor: Vendor | 'comfy-router',
  folder: string = schemasFolder,
): ReadonlyMap<string, SchemaFixture> {
  const files = globSync(`${vendor}/*.json`, { cwd: folder })
  const fixtures: SchemaFixture[] = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return new Map(fixtures.map((fixture) => [fixture.model, fixture]))
}
