import type { JsonObject } from '@genmount/core'
import {
  closedInput,
  definedFields,
  field,
  fixedParameters,
  inputRule,
  type OpenModelOptions,
  ownInputs,
  type ProviderOptionsRule,
} from '@genmount/provider-kit'
import * as v from 'valibot'

/** The size for each aspect ratio. Every model supports the first three; gpt-image-2 and later models support all. */
const sizes = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
  '16:9': '1536x864',
  '9:16': '864x1536',
  '4:3': '1536x1152',
  '3:4': '1152x1536',
} as const
const aspectRatios = Object.keys(sizes) as (keyof typeof sizes)[]

const pictureTypes = ['png', 'jpeg', 'webp'] as const
const maxPictures = 16

/** The length is OpenAI's limit for a data URI. */
const pictures = { types: pictureTypes, maxUriLength: 20_971_520 }

/** The parameters that only a job decides, and those that would turn the answer into a stream. */
const jobParameters = ['prompt', 'image', 'images', 'mask', 'n', 'model', 'stream', 'partial_images']

/** The parameters that the interface's own fields set, beside those that only a job decides. */
const fieldOf = { size: 'aspect_ratio', quality: 'quality', output_format: 'format' } as const

/** The names that clients can't set in `provider_options`. */
export const ownParameters = [...jobParameters, ...Object.keys(fieldOf)]

/**
 * Checks the parameters that an operator fixes for all jobs of a model.
 * @throws TypeError when one of them is set by each job
 */
export const checkFixedParameters = fixedParameters("{ response_format: 'b64_json' }", jobParameters)

const choices = {
  aspect_ratio: v.optional(field.choice('aspect_ratio', aspectRatios)),
  quality: v.optional(field.choice('quality', ['auto', 'low', 'medium', 'high', 'xhigh', 'max'])),
  format: v.optional(field.choice('format', ['png', 'webp', 'jpeg', 'gif', 'svg'])),
}

/** The properties that decide which fields the input of a model has. */
export interface ImageInputTraits {
  /** The option that holds the model, for error messages. */
  readonly at: string
  /** The `provider_options` that clients may set. */
  readonly rule: ProviderOptionsRule
  /** The parameters that the operator fixes. They have no field. */
  readonly fixed: JsonObject
  /** The operator's own fields. */
  readonly inputs: NonNullable<OpenModelOptions['inputs']>
  /** How many images one job may make. */
  readonly maxOutputs: number
}

/** The input of a GPT Image job. */
export function imageInput({ at, rule, fixed, inputs, maxOutputs }: ImageInputTraits) {
  const isFree = ([parameter]: readonly [string, string]) => !Object.hasOwn(fixed, parameter)
  const free = Object.entries(fieldOf).filter(isFree)
  const left = Object.fromEntries(free.map(([, name]) => [name, choices[name]])) as typeof choices
  return v.pipe(
    closedInput({
      prompt: field.text('prompt', 32_000),
      image: v.optional(field.pictures('image', maxPictures, pictures)),
      reference_images: v.optional(field.pictureList('reference_images', maxPictures, pictures)),
      mask: v.optional(field.picture('mask', pictures)),
      ...left,
      num_outputs: v.optional(field.wholeNumber('num_outputs', 1, maxOutputs), 1),
      provider_options: v.optional(field.providerOptions(rule)),
      ...(ownInputs.fields(at, inputs) as object),
    }),
    inputRule.onlyWith('mask', 'image'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || picturesIn(dataset.value).length <= maxPictures) return
      const [input, key] = [dataset.value, 'reference_images'] as const
      const message = `image and reference_images must have at most ${maxPictures} pictures together.`
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }),
  )
}

export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** The fields of an input that have its pictures, except the mask. */
interface Pictures {
  readonly image?: string | readonly string[] | undefined
  readonly reference_images?: readonly string[] | undefined
}

/** The pictures of an input. The one to edit comes first, because the mask is for the first. */
export function picturesIn({ image = [], reference_images = [] }: Pictures): readonly string[] {
  return [image, reference_images].flat()
}

/**
 * The parameters of a job besides its prompt, its pictures and their number, under the names that the images API and
 * the image tool of the Responses API share. Fixed parameters win.
 */
export function parametersOf(input: ImageInput, fixed: JsonObject): Readonly<Record<string, unknown>> {
  const { prompt: _p, image: _i, reference_images: _r, mask: _m, num_outputs: _n, ...how } = input
  const { aspect_ratio, quality, format, provider_options, ...own } = how
  return {
    ...provider_options,
    ...own,
    ...definedFields({ quality, size: aspect_ratio && sizes[aspect_ratio], output_format: format }),
    ...fixed,
  }
}
