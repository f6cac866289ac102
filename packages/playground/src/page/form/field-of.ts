import type { FieldSchema, ModelField } from '@genmount/client/model-fields'
import type { Choice, Field, FieldKind, MediaKind } from './field.ts'

const longTexts = ['prompt', 'negative_prompt', 'text', 'lyrics', 'script']
const suggestions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    aspect_ratio: ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'],
    resolution: ['480p', '720p', '1080p'],
  }),
)
/** These fields are always shown. Other fields are shown on demand, unless they are required. */
const usual = ['prompt', 'image', 'mask', 'last_frame', 'reference_images', 'video', 'audio', 'aspect_ratio']
const alsoUsual = ['resolution', 'quality', 'duration', 'num_outputs', 'seed']

/** @returns `undefined` for a field that allows at most one value */
export function fieldOf(name: string, { schema: fieldSchema, isRequired }: ModelField): Field | undefined {
  // A control sends values of one type.
  const [first] = [fieldSchema.type ?? []].flat()
  const schema: FieldSchema = { ...fieldSchema, ...(first !== undefined && { type: first }) }
  if (schema.not || schema.const !== undefined) return undefined
  const media = mediaOf(name, schema)
  const kind = media ? 'files' : kindOf(name, schema)
  const list = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'array')
  return {
    name,
    label: schema.title ?? inWords(name),
    kind,
    help: schema.description ?? help.get(name),
    isRequired,
    isRare: !isRequired && ![...usual, ...alsoUsual].includes(name),
    fallback: schema.default,
    choices: (schema.enum ?? []).filter(isChoice),
    suggestions: kind === 'line' ? (suggestions.get(name) ?? []) : [],
    min: schema.minimum,
    max: schema.maximum,
    step: stepOf(schema),
    maxLength: schema.maxLength,
    media: media ?? 'image',
    maxFiles: list ? (list.maxItems ?? 16) : 1,
    isList: schema.type === 'array',
  }
}

function kindOf(
  name: string,
  { type, enum: choices, minimum, maximum, maxLength = 0 }: FieldSchema,
): FieldKind {
  if (choices?.every(isChoice)) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') {
    if (name === 'seed') return 'seed'
    const isShort = minimum !== undefined && maximum !== undefined && maximum - minimum <= 10_000
    return isShort ? 'range' : 'number'
  }
  if (type !== 'string') return 'json'
  return longTexts.includes(name) || (maxLength > 200 && !name.endsWith('url')) ? 'text' : 'line'
}

/** The kind of files that a field takes. `undefined` for a field that takes no files. */
function mediaOf(name: string, schema: FieldSchema): MediaKind | undefined {
  const parts = [
    schema,
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.anyOf ?? []).map(({ items }) => items),
  ]
  const isText = parts.some((part) => part?.type === 'string' && !part.enum)
  if (!isText) return undefined
  const words = parts.map((part) => part?.description ?? '').join(' ')
  const named = /(?:^|_)(image|mask|frame|picture|video|film|audio)s?(?:_url)?s?$/.exec(name)?.[1]
  const said = /data URI with an? (?:\S+ ){0,8}?(picture|film|video|recording|sound)/i.exec(words)?.[1]
  const word = named ?? said?.toLowerCase()
  if (word === undefined) return undefined
  if (/video|film/.test(word)) return 'video'
  return /audio|recording|sound/.test(word) ? 'audio' : 'image'
}

function stepOf({ type, minimum = 0, maximum = 0, multipleOf }: FieldSchema): number | undefined {
  if (multipleOf !== undefined) return multipleOf
  if (type === 'integer') return 1
  if (type !== 'number') return undefined
  const range = maximum - minimum
  return range <= 2 ? 0.05 : range <= 30 ? 0.5 : 1
}

function isChoice(value: unknown): value is Choice {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    num_outputs: 'Number of outputs',
    fps: 'Frames per second',
    duration: 'Duration in seconds',
    last_frame: 'Last frame',
  }),
)

const help: ReadonlyMap<string, string> = new Map(
  Object.entries({
    num_outputs: 'How many one job makes, all of the same settings.',
    seed: 'The same seed makes the same again. Automatic takes a new one each time.',
  }),
)

/** Makes `Num outputs` of `num_outputs`. The fields of the interface's vocabulary have labels of their own. */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labels.get(name) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
