import type { Model, OutputKind } from '@genmount/core'
import * as v from 'valibot'
import { pictureField } from '../pictures/picture-field.ts'
import { closedInput, requiredUnless } from './closed-input.ts'
import { formField, numberField, textField, wholeNumberField } from './fields.ts'
import { providerOptionsField, type ProviderOptionsRule } from './provider-options.ts'

const shared = {
  prompt: v.optional(textField('prompt', 32_000)),
  negative_prompt: v.optional(textField('negative_prompt', 32_000, 0)),
  image: v.optional(pictureField('image', { types: 'any' })),
  aspect_ratio: v.optional(
    formField(
      'aspect_ratio',
      "width:height, such as 16:9, or a word of the model's",
      /^(?:[1-9][\d.]{0,5}:[1-9][\d.]{0,5}|[a-z][\w-]{0,39})$/i,
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
const fields = { ...imageFields, ...videoFields }

/** The fields of `openInput` beside `provider_options`, of whatever kind. */
export type OpenFields = {
  readonly [Name in keyof typeof fields]: NonNullable<v.InferOutput<(typeof fields)[Name]>>
}
export const openFieldNames = Object.keys(fields)

/**
 * The interface's usual fields, for a model whose own limits are not known here. What it takes of them, and in which
 * values, is between it and the vendor.
 */
export function openInput(outputKind: OutputKind, rule: ProviderOptionsRule): Model['input'] {
  const options = { provider_options: v.optional(providerOptionsField(rule)) }
  const entries = outputKind === 'video' ? { ...videoFields, ...options } : { ...imageFields, ...options }
  return v.pipe(closedInput(entries), requiredUnless('prompt', ['image', 'provider_options']))
}
