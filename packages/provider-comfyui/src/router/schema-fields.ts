import { fieldLimit, type OpenModelOptions, type VendorFields } from '@genmount/provider-kit'
import { listFields } from './list-fields.ts'
import { habitOf, pictureMaker } from './picture-value.ts'
import type { SchemaPart } from './published-model.ts'
import { sizeFields } from './size-fields.ts'
import { type SchemaPlace, schemaPlaces } from './schema-places.ts'

type FieldName = keyof VendorFields
type Limits = NonNullable<OpenModelOptions['limits']>

/** What a model's schema says in the words of the interface. */
export interface SchemaFields {
  /** Which fields the model has, and how it calls them. */
  readonly fields: VendorFields
  /** What it accepts in them. */
  readonly limits: Limits
  /** The fields without which it can't make anything. @default a prompt, or something that can stand in for it */
  readonly required: readonly FieldName[] | undefined
  /** What the model requires and no field sets. */
  readonly lacking: readonly string[]
}

/** The names of the fields at the partners, without underscores and capitals. The first that a model has is the one. */
const names: Readonly<Record<FieldName, string>> = {
  prompt: 'prompt prompttext text textprompt',
  negative_prompt: 'negativeprompt',
  image:
    'image imageurl firstframe firstframeurl firstframeimage startimage imgurl promptimage inputimage images imageurls',
  last_frame: 'lastframe lastframeurl lastframeimage endimage imagetail',
  reference_images: 'referenceimages referenceimageurls',
  reference_videos: 'referencevideos referencevideourls',
  mask: 'mask maskurl',
  video: 'video videourl startvideo',
  audio: 'audiourl audio',
  sound: 'generateaudio sound audio',
  aspect_ratio: 'aspectratio ratio',
  resolution: 'resolution imagesize size',
  seed: 'seed',
  guidance: 'guidancescale cfgscale guidance',
  num_outputs: 'n numimages numoutputs samplecount imagecount',
  duration: 'duration durationseconds seconds',
  fps: 'fps framespersecond framerate',
}

const order = Object.keys(names) as readonly FieldName[]
const pictures: readonly FieldName[] = ['image', 'last_frame', 'reference_images', 'mask']
const files: readonly FieldName[] = [...pictures, 'video', 'reference_videos', 'audio']
const texts: readonly FieldName[] = ['prompt', 'negative_prompt']
const words: readonly FieldName[] = ['aspect_ratio', 'resolution']

/**
 * Derives the fields of a model from its schema. What the schema has and no field says is left to `provider_options`.
 * @param model the id at the Router, such as `kling/kling-3.0-turbo`
 */
export function schemaFields(model: string, schema: SchemaPart): SchemaFields {
  const places = schemaPlaces(schema)
  const taken = new Set<SchemaPlace>()
  const fields: Partial<Record<FieldName, unknown>> = {}
  const limits: Partial<Record<FieldName, unknown>> = {}
  const required: FieldName[] = []
  const inLists = listFields(places, habitOf(model))
  for (const field of order) {
    const place = placeOf(
      field,
      places.filter((other) => !taken.has(other)),
    )
    const way = place && wayOf(field, place, places)
    if (place && way !== undefined) {
      taken.add(place)
      if (place.isRequired) required.push(field)
      const limit = limitOf(field, place.part, model)
      if (limit !== undefined) limits[field] = limit
    }
    fields[field] = way ?? inLists[field] ?? false
  }
  const sizes = fields.aspect_ratio === false ? sizeFields(places) : {}
  const roots = new Set([...taken].map(({ path }) => path.replace(/\..*/, '')))
  const lacking = (schema.required ?? []).filter((name) => !roots.has(name) && !inLists.roots.includes(name))
  return {
    fields: { ...fields, ...sizes } as VendorFields,
    limits: limits as Limits,
    required: required.length > 0 ? required : undefined,
    lacking,
  }
}

function placeOf(field: FieldName, places: readonly SchemaPlace[]): SchemaPlace | undefined {
  const named = (name: string) =>
    places.find(
      ({ path, part }) =>
        path.replace(/^.*\./, '').replaceAll('_', '').toLowerCase() === name && isFor(field, part),
    )
  return names[field]
    .split(' ')
    .map(named)
    .find((place) => place !== undefined)
}

/** Whether such a value can be the field's. */
function isFor(field: FieldName, part: SchemaPart): boolean {
  const types = typesOf(part)
  if (files.includes(field)) return types.some((type) => /^(?:string|array|object)$/.test(type)) && !part.enum
  if (texts.includes(field) || words.includes(field)) return types.includes('string')
  if (field === 'sound') return types.includes('boolean') || isSwitch(part)
  if (field === 'duration' && types.includes('string')) return choicesOf(part).length > 0 || types.length > 1
  return types.includes('integer') || types.includes('number')
}

function wayOf(field: FieldName, place: SchemaPlace, places: readonly SchemaPlace[]) {
  const { path, part } = place
  if (files.includes(field)) return fileWay(field, place, places)
  if (field === 'sound' && isSwitch(part)) return (sound: boolean) => ({ [path]: sound ? 'on' : 'off' })
  const isText =
    field === 'duration' && !typesOf(part).some((type) => type === 'integer' || type === 'number')
  return isText ? (seconds: number) => ({ [path]: String(seconds) }) : path
}

/** A list of files, a file, or an object around it; `undefined` for an object of another kind. */
function fileWay(field: FieldName, { path, part }: SchemaPlace, places: readonly SchemaPlace[]) {
  const list = [part, ...(part.anyOf ?? [])].find(({ type }) => type === 'array')
  const one = list?.items ?? part
  if (!one.properties) {
    if (list) return `${path}[${Math.min(list.maxItems ?? 16, 16)}]`
    const numbered = places
      .map((other) => other.path)
      .filter((other) => /^_\d+$/.test(other.slice(path.length)))
    const others = numbered.filter((other) => other.startsWith(path))
    return field === 'image' && others.length > 0 ? [path, ...others] : path
  }
  const made = pictureMaker(one)
  if (!made) return undefined
  if (field.startsWith('reference_'))
    return list && ((urls: readonly string[]) => ({ [path]: urls.map(made) }))
  return (url: string) => ({ [path]: list ? [made(url)] : made(url) })
}

function typesOf({ type, anyOf = [] }: SchemaPart): readonly string[] {
  const types = [type, ...anyOf.map((part) => part.type)].filter((one) => one !== undefined)
  return types
}

function choicesOf({ enum: values, anyOf = [] }: SchemaPart): readonly unknown[] {
  return values ?? anyOf.flatMap((part) => part.enum ?? [])
}

function isSwitch(part: SchemaPart): boolean {
  const choices = choicesOf(part)
  return choices.length === 2 && choices.includes('on') && choices.includes('off')
}

function limitOf(field: FieldName, part: SchemaPart, model: string): unknown {
  if (files.includes(field) || field === 'sound') return undefined
  const own = part['x-comfy-model-resolutions']?.[model.replace(/^.*\//, '')]
  const choices = own ?? choicesOf(part)
  if (words.includes(field)) return choices.length > 0 ? choices : undefined
  if (texts.includes(field)) return fieldLimit(field, { min: part.minLength, max: part.maxLength })
  const ranged = [part, ...(part.anyOf ?? [])].find(
    ({ minimum, maximum }) => (minimum ?? maximum) !== undefined,
  )
  const numbers = choices.map(Number).filter((number) => number > 0)
  if (numbers.length > 0 && !ranged) return numbers
  return fieldLimit(field, { min: ranged?.minimum, max: ranged?.maximum }, part.type === 'integer')
}
