import type { Json, JsonObject, Model } from '@genmount/core'
import { presets } from '../../../packages/model-catalogues/src/entry-of.ts'
import type { Property, VendorSchema } from '../../../packages/model-catalogues/src/vendor-schema.ts'
import { openFieldNames } from '../../../packages/provider-kit/src/fields/open-fields.ts'

/** The JSON Schema of a field, as clients see it. */
type Field = Omit<Property, 'enum' | 'anyOf'> & {
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly Field[]
}

interface Fields {
  readonly properties: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

const picture = 'https://example.com/fox.png'
const film = 'https://example.com/fox.mp4'
const files: Readonly<Record<string, string>> = {
  image: picture,
  last_frame: picture,
  mask: picture,
  reference_images: picture,
  video: film,
  reference_videos: film,
  audio: 'https://example.com/fox.mp3',
}

function fieldsOf({ input }: Model): Fields {
  const { jsonSchema } = input['~standard'] as unknown as {
    readonly jsonSchema: { input(options: { readonly target: string }): Fields }
  }
  return jsonSchema.input({ target: 'draft-2020-12' })
}

/** An input with no more than the model needs. */
export function plainInput(model: Model): JsonObject {
  const { properties, required = [] } = fieldsOf(model)
  const needed = required.length > 0 || !('prompt' in properties) ? required : ['prompt']
  return Object.fromEntries(needed.map((name) => [name, endsOf(name, properties[name]!)[0]]))
}

/** The values of each field of the vocabulary that the model has: the least, the vendor's default, the greatest. */
export function valuesByField(model: Model, schema: VendorSchema): ReadonlyMap<string, readonly Json[]> {
  const { properties } = fieldsOf(model)
  const named: readonly string[] = openFieldNames
  const fields = Object.entries(properties).filter(([name]) => named.includes(name))
  return new Map(fields.map(([name, field]) => [name, valuesOf(name, field, schema)]))
}

/** Inputs with one of these values each, and with what a field can't be without. */
export function samplesOf(model: Model, schema: VendorSchema): readonly JsonObject[] {
  return [...valuesByField(model, schema)].flatMap(([name, values]) =>
    values.map((value): JsonObject => ({ [name]: value, ...(name === 'mask' && { image: picture }) })),
  )
}

function valuesOf(name: string, field: Field, schema: VendorSchema): readonly Json[] {
  const usual = usualOf(name, field, schema)
  const [least, greatest] = endsOf(name, field)
  return [least, ...(usual === undefined ? [] : [usual]), greatest]
}

function endsOf(name: string, field: Field): readonly [least: Json, greatest: Json] {
  const file = files[name]
  if (file !== undefined) {
    const list = [field, ...(field.anyOf ?? [])].find(({ type }) => type === 'array')
    const most = list ? Array.from({ length: list.maxItems ?? 1 }, () => file) : file
    return [field === list ? [file] : file, most]
  }
  if (field.enum) return [field.enum[0]!, field.enum.at(-1)!]
  if (field.type === 'boolean') return [false, true]
  if (field.type !== 'string') return [field.minimum!, field.maximum!]
  if (name === 'aspect_ratio') return ['1:1', '9:16']
  const least = field.minLength ?? (name === 'prompt' ? 1 : 0)
  return ['x'.repeat(least), 'x'.repeat(field.maxLength ?? 1)]
}

/** The vendor's default in the interface's words, where the interface can say it. */
function usualOf(name: string, field: Field, schema: VendorSchema): Json | undefined {
  const of = { num_outputs: ['num_images', 'num_outputs'], aspect_ratio: ['aspect_ratio', 'image_size'] }
  const vendors = (of as Readonly<Record<string, readonly string[]>>)[name] ?? [name]
  const usual = vendors
    .map((vendor) => schema.properties[vendor]?.default)
    .find((value) => value !== undefined)
  const said = Object.keys(presets).find((ratio) => presets[ratio] === usual) ?? usual
  const value = typeof said === 'string' && name === 'duration' ? Number.parseFloat(said) : said
  if (field.enum) return field.enum.find((choice) => choice === value)
  if (field.type !== 'integer' && field.type !== 'number') return undefined
  return typeof value === 'number' && value >= field.minimum! && value <= field.maximum! ? value : undefined
}
