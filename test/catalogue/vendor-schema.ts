import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

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
}

const folderOf = (vendor: Vendor) => new URL(`schemas/${vendor}/`, import.meta.url)
const fileOf = (vendor: Vendor, model: string) =>
  new URL(`${model.replace(/:.*/, '').replaceAll('/', '__')}.json`, folderOf(vendor))

/** The kept schemas of a vendor, by the model. */
export function keptSchemas(vendor: Vendor): ReadonlyMap<string, SchemaFixture> {
  const files = readdirSync(folderOf(vendor)).filter((name) => name.endsWith('.json'))
  const fixtures = files.map(
    (name) => JSON.parse(readFileSync(new URL(name, folderOf(vendor)), 'utf8')) as SchemaFixture,
  )
  return new Map(fixtures.map((fixture) => [fixture.model, fixture]))
}

/** Keeps the schema of a model, in the style of the repository. */
export async function keepSchema(vendor: Vendor, fixture: SchemaFixture): Promise<void> {
  const file = fileOf(vendor, fixture.model)
  const style = await resolveConfig(file)
  writeFileSync(file, await format(JSON.stringify(fixture), { ...style, parser: 'json' }))
}
