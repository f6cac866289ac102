import type { OutputKind } from '@genmount/core'
import * as v from 'valibot'
import { pictureField, pictureListField, picturesField } from '../pictures/picture-field.ts'
import { formField, numberField, textField, wholeNumberField } from './fields.ts'

/**
 * The interface's vocabulary: the input fields that vendors have in common, under one name and in one form for all of
 * them. Pictures, films and recordings are http(s) URLs or data URIs.
 */
export interface OpenFields {
  /** What to make, in words. */
  readonly prompt: string
  /** What to avoid, in words. */
  readonly negative_prompt: string
  /** The picture to edit or, for a film, its first frame. A list where the model takes several pictures. */
  readonly image: string
  /** The last frame of a film. */
  readonly last_frame: string
  /** Pictures of what the output is to show or to look like. */
  readonly reference_images: readonly string[]
  /** Films of what the output is to show, to look like or to move like. */
  readonly reference_videos: readonly string[]
  /** The picture that says which parts of `image` to change, as the model expects its masks. */
  readonly mask: string
  /** The film to edit, to enlarge or to continue. */
  readonly video: string
  /** A recording that the film is to go with, such as speech or music. */
  readonly audio: string
  /** Whether the film is to have sound. */
  readonly sound: boolean
  /** Width and height, such as `16:9`, or one of the model's own words. */
  readonly aspect_ratio: string
  /** One of the model's words for a size, such as `720p`. */
  readonly resolution: string
  /** The seed of the model's random numbers, a whole number from 0. */
  readonly seed: number
  /** How closely the output is to follow the prompt, 0 to 100, on the model's own scale. */
  readonly guidance: number
  /** How many outputs to make, 1 to 10. */
  readonly num_outputs: number
  /** The length of a film in seconds. */
  readonly duration: number
  /** The frames of a film per second. */
  readonly fps: number
}

/** The name of a field of the vocabulary. */
export type OpenFieldName = keyof OpenFields

const pictures = { types: 'any' } as const
const films = { types: 'any-video' } as const

/** The bounds of a number, or of the number of characters of a text, if a model has its own. */
export interface FieldBounds {
  /** The fewest characters, or the least number. @default that of the interface */
  readonly min?: number | undefined
  /** The most characters, or the greatest number. @default that of the interface */
  readonly max?: number | undefined
}

/** The interface's own bounds, of lengths of texts and of numbers. */
const own = {
  prompt: { min: 1, max: 32_000 },
  negative_prompt: { min: 0, max: 32_000 },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER },
  guidance: { min: 0, max: 100 },
  num_outputs: { min: 1, max: 10 },
  duration: { min: 1, max: 600 },
  fps: { min: 1, max: 120 },
}

/** A range of seconds that is this long is written as a list of choices. */
const shortRange = 30

/**
 * The limits of a field by the bounds in a model's schema.
 * @param bounds the fewest and the most characters of a text, or the least and the greatest number. @default 0, and none
 * @param isWhole whether the schema takes whole numbers only. A short range of seconds is then a list of them, because a range
 *   would let halves through. @default false
 * @returns `undefined` for a field without bounds, and where those of the interface are as narrow
 * @example fieldLimit('num_outputs', { min: 1, max: 4 }) // { max: 4 }
 */
export function fieldLimit(
  field: OpenFieldName,
  { min = 0, max = Infinity }: FieldBounds,
  isWhole = false,
): FieldBounds | readonly number[] | undefined {
  const bounds = Object.hasOwn(own, field) ? own[field as keyof typeof own] : undefined
  if (!bounds) return undefined
  const least = Math.max(min, bounds.min)
  if (field === 'duration' && isWhole && max - least <= shortRange)
    return Array.from({ length: max - least + 1 }, (_, index) => least + index)
  if (min <= bounds.min && max >= bounds.max) return undefined
  return { ...(min > bounds.min && { min }), ...(max < bounds.max && { max }) }
}

/**
 * The schema of each field. `most` is the largest number of pictures or films that the model takes in the field, and
 * `bounds` are the model's own.
 */
export const openFields = {
  prompt: (_most, { min = own.prompt.min, max = own.prompt.max }) => textField('prompt', max, min),
  negative_prompt: (_most, { min = own.negative_prompt.min, max = own.negative_prompt.max }) =>
    textField('negative_prompt', max, min),
  image: (most) => (most === 1 ? pictureField('image', pictures) : picturesField('image', most, pictures)),
  last_frame: () => pictureField('last_frame', pictures),
  reference_images: (most) => pictureListField('reference_images', most, pictures),
  reference_videos: (most) => pictureListField('reference_videos', most, films),
  mask: () => pictureField('mask', pictures),
  video: () => pictureField('video', films),
  audio: () => pictureField('audio', { types: 'any-audio' }),
  sound: () => v.boolean('sound must be true or false.'),
  aspect_ratio: () =>
    formField(
      'aspect_ratio',
      "width:height, such as 16:9, or one of the model's own words",
      /^(?:[1-9][\d.]{0,5}:[1-9][\d.]{0,5}|[A-Za-z][\w-]{0,39})$/,
    ),
  resolution: () => formField('resolution', 'a word such as 720p', /^[\w:.-]{1,40}$/),
  seed: (_most, { min = own.seed.min, max = own.seed.max }) => wholeNumberField('seed', min, max),
  guidance: (_most, { min = own.guidance.min, max = own.guidance.max }) => numberField('guidance', min, max),
  num_outputs: (_most, { min = own.num_outputs.min, max = own.num_outputs.max }) =>
    wholeNumberField('num_outputs', min, max),
  duration: (_most, { min = own.duration.min, max = own.duration.max }) => numberField('duration', min, max),
  fps: (_most, { min = own.fps.min, max = own.fps.max }) => numberField('fps', min, max),
} satisfies Readonly<Record<OpenFieldName, (most: number, bounds: FieldBounds) => v.GenericSchema>>

/** The names of all fields of the vocabulary. */
export const openFieldNames = Object.keys(openFields) as readonly OpenFieldName[]

const shared = ['prompt', 'negative_prompt', 'image', 'aspect_ratio', 'resolution', 'seed'] as const

/** The fields that a model has unless its table of `fields` says otherwise. */
export const usualFields: Readonly<Record<OutputKind, readonly OpenFieldName[]>> = {
  image: [...shared, 'num_outputs'],
  video: [...shared, 'duration', 'fps'],
}
