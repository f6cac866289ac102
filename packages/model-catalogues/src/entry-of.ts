import { fieldLimit, type OpenModelOptions, type VendorFields } from '@genmount/provider-kit'
import type { Property, VendorSchema } from './vendor-schema.ts'

type OpenFieldName = keyof VendorFields
type FieldLimits = NonNullable<OpenModelOptions['limits']>

/** What a person has decided about a model of the catalogue. */
export interface Wanted {
  /** The name of the entry: `falModels.nanoBanana`. Its id is the same in kebab case, `31` as `3.1`, unless `id` says otherwise. */
  readonly key: string
  readonly id?: string
  /** The vendor's id of the model. */
  readonly model: string
  readonly outputKind: 'image' | 'video'
  /** The vendor's names of fields where they mean something else than usual; `false` leaves a field out. */
  readonly fields?: Readonly<Partial<Record<OpenFieldName, string | false>>>
  /** Limits that only the vendor's prose says. */
  readonly limits?: FieldLimits
  /** Fields without which the vendor can't make anything, though its schema does not say so. */
  readonly needs?: readonly OpenFieldName[]
  /** How many pictures or films a list takes, by the vendor's name, where only the vendor's prose says so. */
  readonly most?: Readonly<Record<string, number>>
  readonly price: KnownPrice | UnknownPrice
  readonly typicalMs?: number
}

/** What a model costs. */
export interface KnownPrice {
  /** The price as it is written into the entry. */
  readonly usd: string
  readonly unit: string
  /** The day of which the price is. */
  readonly on: string
  /** Who says it: the vendor's page of the model, or the vendor's list of the prices of all models. */
  readonly source: 'page' | 'list'
}

/** Says that no dependable price was found, which the entry then says as well. */
export interface UnknownPrice {
  /** Why, as the end of a sentence. @example 'fal charges for seconds of computing' */
  readonly unknown: string
}

type Notes = Omit<Wanted, 'key' | 'model' | 'outputKind'>

export function image(key: string, model: string, notes: Notes): Wanted {
  return { key, model, outputKind: 'image', ...notes }
}

export function video(key: string, model: string, notes: Notes): Wanted {
  return { key, model, outputKind: 'video', ...notes }
}

/** How the vendor wants a value, where it is not as the interface has it. */
export type Form = 'plain' | 'text' | 'seconds' | 'size'

/** A field that a model has. */
export interface Claim {
  /** The vendor's name, with `[4]` at its end for a list. */
  readonly name: string
  readonly form: Form
}

/** What the catalogue says about a model. */
export interface Entry {
  readonly claims: Readonly<Partial<Record<OpenFieldName, Claim>>>
  readonly limits: FieldLimits
  readonly required: readonly OpenFieldName[]
}

/** The vendors' names of our fields. The first that a model has is the one. */
const names: Readonly<Record<OpenFieldName, readonly string[]>> = {
  prompt: ['prompt'],
  negative_prompt: ['negative_prompt'],
  image: [
    'image_url',
    'start_image_url',
    'first_frame_url',
    'image_urls',
    'image_input',
    'input_images',
    'start_image',
    'first_frame_image',
    'image',
  ],
  last_frame: [
    'end_image_url',
    'last_frame_url',
    'tail_image_url',
    'end_image',
    'last_frame',
    'last_frame_image',
    'last_image',
  ],
  reference_images: ['reference_image_urls', 'reference_images'],
  reference_videos: ['reference_video_urls', 'video_urls', 'reference_videos'],
  mask: ['mask_url', 'mask_image_url', 'mask'],
  video: ['video_url', 'video'],
  audio: ['audio_url', 'audio_urls', 'audio', 'reference_audios'],
  sound: ['generate_audio'],
  aspect_ratio: ['aspect_ratio', 'image_size'],
  resolution: ['resolution'],
  seed: ['seed'],
  guidance: ['guidance_scale', 'cfg_scale', 'guidance'],
  num_outputs: ['num_images', 'num_outputs', 'number_of_images', 'num_videos'],
  duration: ['duration'],
  fps: ['fps', 'frames_per_second'],
}

const order = Object.keys(names) as readonly OpenFieldName[]

/**
 * Derives an entry from the vendor's schema.
 * @throws Error when the decisions name a property that the schema does not have, or the model needs a property that the
 *   interface has no field for
 */
export function entryOf(wanted: Wanted, schema: VendorSchema): Entry {
  const claims: Partial<Record<OpenFieldName, Claim>> = {}
  const limits: Record<string, unknown> = {}
  for (const field of order) {
    const decided = wanted.fields?.[field]
    if (decided === false) continue
    const name = decided ?? names[field].find((candidate) => candidate in schema.properties)
    if (name === undefined) continue
    const property = schema.properties[name]
    if (!property) throw new Error(`${wanted.model} has no ${name}, which is to be ${field}.`)
    const form = formOf(field, name, property)
    if (form === undefined) continue
    claims[field] = { name: name + lengthOf(wanted, name, property), form }
    const limit = limitOf(field, form, property)
    if (limit !== undefined) limits[field] = limit
  }
  const fieldOf = new Map(
    Object.entries(claims).map(([field, { name }]) => [name.replace(/\[.*/, ''), field]),
  )
  const required = schema.required.map((name) => {
    const field = fieldOf.get(name)
    if (field === undefined)
      throw new Error(`${wanted.model} needs ${name}, for which the entry has no field.`)
    return field as OpenFieldName
  })
  required.push(...(wanted.needs ?? []))
  return {
    claims,
    limits: { ...(limits as FieldLimits), ...wanted.limits },
    required: order.filter((field) => required.includes(field)),
  }
}

/** The sizes of fal that stand for a shape: https://fal.ai/models/fal-ai/flux/dev/api#schema-input */
export const presets: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
}

const words: readonly OpenFieldName[] = ['aspect_ratio', 'resolution']

/** All choices of a property, also those that stand beside another form. */
function choicesOf({ enum: values, anyOf = [] }: Property): readonly unknown[] {
  return values ?? anyOf.flatMap((part) => part.enum ?? [])
}

function formOf(field: OpenFieldName, name: string, property: Property): Form | undefined {
  // Of a shape or a size, any text is sent on, and the vendor refuses what its model does not take.
  if (property['x-unpublished']) return words.includes(field) && name !== 'image_size' ? 'plain' : undefined
  if (name === 'image_size') return 'size'
  if (field !== 'duration') return 'plain'
  const choices = [...choicesOf(property), ...(property.default === undefined ? [] : [property.default])]
  if (choices.some((choice) => /^\d+s$/.test(String(choice)))) return 'seconds'
  return choices.length > 0 && choices.every((choice) => typeof choice === 'string') ? 'text' : 'plain'
}

function lengthOf({ most }: Wanted, name: string, { type, maxItems }: Property): string {
  if (type !== 'array') return ''
  return `[${most?.[name] ?? maxItems ?? ''}]`
}

const texts: readonly OpenFieldName[] = ['prompt', 'negative_prompt']
const numbers: readonly OpenFieldName[] = ['seed', 'guidance', 'num_outputs', 'duration', 'fps']
function limitOf(field: OpenFieldName, form: Form, property: Property): unknown {
  const choices = choicesOf(property)
  if (form === 'size')
    return [
      ...Object.keys(presets).filter((ratio) => choices.includes(presets[ratio])),
      ...choices.filter((choice) => choice === 'auto'),
    ]
  if (words.includes(field)) return choices.length > 0 ? choices.filter(isSaid) : undefined
  const { minLength, maxLength, minimum, maximum } = property
  if (texts.includes(field)) return fieldLimit(field, { min: minLength, max: maxLength })
  if (numbers.includes(field) && choices.length > 0)
    return choices.map((choice) => Number.parseFloat(String(choice))).filter(Number.isFinite)
  return fieldLimit(field, { min: minimum, max: maximum }, property.type === 'integer')
}

/** Words for the absence of a choice are said by leaving the field out. */
function isSaid(choice: unknown): boolean {
  return choice !== 'Not set' && choice !== 'None' && choice !== 'custom'
}
