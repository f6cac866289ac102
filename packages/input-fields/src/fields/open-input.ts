import type { Model, OutputKind } from '@genmount/core'
import * as v from 'valibot'
import { pictureField } from '../pictures/picture-field.ts'
import { closedInput, requiredUnless } from './closed-input.ts'
import { modelInput } from './model-input.ts'
import { formField, numberField, textField, wholeNumberField } from './fields.ts'
import { providerOptionsField, type ProviderOptionsRule } from './provider-options.ts'

const shared = {
  prompt: v.optional(textField('prompt', 32_000)),
  negative_prompt: v.optional(textField('negative_prompt', 32_000, 0)),
  image: v.optional(pictureField('image', { types: 'any' })),
  aspect_ratio: v.optional(
    formField(
      'aspect_ratio',
      "width:height, such as 16:9, or one of the model's own words",
      /^(?:[1-9][\d.]{0,5}:[1-9][\d.]{0,5}|[A-Za-z][\w-]{0,39})$/,
    ),
  ),
  resolution: v.optional(formField('resolution', 'a word such as 720p', /^[\w:.-]{1,40}$/)),
  seed: v.optional(wholeNumberField('seed', 0, Number.MAX_SAFE_INTEGER)),
}
const imageFields = { ...shared, num_outputs: v.optional(wholeNumberField('num_outputs', 1, 10)) }
const videoFields = {
  ...shared,
  duration: v.optional(numberField('duration', 1, 600)),
  fps: v.optional(numberField('fps', 1, 120)),
}
const fields = { ...imageFields, ...videoFields } satisfies {
  readonly [Name in keyof OpenFields]: v.GenericSchema<unknown, OpenFields[Name] | undefined>
}

/** All fields of `openInput`, for images and for videos, without `provider_options`. */
export interface OpenFields {
  /** What to make, in words. */
  readonly prompt: string
  /** What to avoid, in words. */
  readonly negative_prompt: string
  /** A picture to begin with, as an http(s) URL or a data URI. */
  readonly image: string
  /** Width and height, such as `16:9`, or one of the model's own words. */
  readonly aspect_ratio: string
  /** One of the model's words for a size, such as `720p`. */
  readonly resolution: string
  /** The start of the model's random numbers, a whole number from 0. */
  readonly seed: number
  /** Images only: how many to make, 1 to 10. */
  readonly num_outputs: number
  /** Videos only: the length in seconds. */
  readonly duration: number
  /** Videos only: frames per second. */
  readonly fps: number
}
/** The names of these fields. */
export const openFieldNames = Object.keys(fields)

/**
 * The usual input fields of the interface, with wide limits. For models whose own limits are not known here: the vendor
 * decides which of the fields and values its model accepts.
 * @param outputKind an image model has `num_outputs`, a video model has `duration` and `fps`
 * @param rule the `provider_options` that clients may set
 */
export function openInput(outputKind: OutputKind, rule: ProviderOptionsRule): Model['input'] {
  const options = { provider_options: v.optional(providerOptionsField(rule)) }
  const entries = outputKind === 'video' ? { ...videoFields, ...options } : { ...imageFields, ...options }
  return modelInput(v.pipe(closedInput(entries), requiredUnless('prompt', ['image', 'provider_options'])))
}
