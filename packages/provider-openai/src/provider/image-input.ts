import { type Check, checkObject, type JsonObject } from '@genmount/core'
import {
  choiceField,
  closedInput,
  given,
  onlyWith,
  pictureField,
  type PictureRules,
  picturesField,
  providerOptionsField,
  type ProviderOptionsRule,
  textField,
  wholeNumberField,
} from '@genmount/input-fields'
import * as v from 'valibot'

/**
 * The size that each aspect ratio asks for. Every model knows the first three; gpt-image-2 and later models know all.
 */
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

export const pictureTypes = ['png', 'jpeg', 'webp'] as const

/** The length is OpenAI's limit for a data URI. */
const pictures: PictureRules = { types: pictureTypes, maxUriLength: 20_971_520 }

/** The parameters that only a job decides, and those that would turn the answer into a stream. */
const jobParameters = ['prompt', 'image', 'images', 'mask', 'n', 'model', 'stream', 'partial_images']

/** The parameters that the interface's own fields set, beside those that only a job decides. */
const fieldOf = { size: 'aspect_ratio', quality: 'quality', output_format: 'format' } as const

/** The names that clients can't set in `provider_options`. */
export const ownParameters = [...jobParameters, ...Object.keys(fieldOf)]

/**
 * Checks the parameters that an operator fixes for all jobs of a model.
 * @throws TypeError when one of them is the job's own affair
 */
export const checkFixedParameters: Check<JsonObject> = (name, given = {}) => {
  const fixed = checkObject(name, given, " such as { response_format: 'b64_json' }")
  const ours = Object.keys(fixed).find((parameter) => jobParameters.includes(parameter))
  if (ours !== undefined) throw new TypeError(`${name} can't fix ${ours}, which each job decides itself.`)
  return fixed as JsonObject
}

const choices = {
  aspect_ratio: v.optional(choiceField('aspect_ratio', aspectRatios)),
  quality: v.optional(choiceField('quality', ['auto', 'low', 'medium', 'high', 'xhigh', 'max'])),
  format: v.optional(choiceField('format', ['png', 'webp', 'jpeg'])),
}

/** The input of a GPT Image job. It has no field for a parameter that is fixed. */
export function imageInput(rule: ProviderOptionsRule, fixed: JsonObject) {
  const isFree = ([parameter]: readonly [string, string]) => !Object.hasOwn(fixed, parameter)
  const free = Object.entries(fieldOf).filter(isFree)
  const left = Object.fromEntries(free.map(([, field]) => [field, choices[field]])) as typeof choices
  return v.pipe(
    closedInput({
      prompt: textField('prompt', 32_000),
      image: v.optional(picturesField('image', 16, pictures)),
      mask: v.optional(pictureField('mask', pictures)),
      ...left,
      num_outputs: v.optional(wholeNumberField('num_outputs', 1, 10), 1),
      provider_options: v.optional(providerOptionsField(rule)),
    }),
    onlyWith('mask', 'image'),
  )
}

export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** The parameters of a job, without its pictures. Those that are fixed win. */
export function parametersOf(
  model: string,
  input: ImageInput,
  fixed: JsonObject,
): Readonly<Record<string, unknown>> {
  const { prompt, aspect_ratio, quality, format, num_outputs, provider_options } = input
  return {
    ...provider_options,
    ...given({ quality, size: aspect_ratio && sizes[aspect_ratio], output_format: format }),
    ...fixed,
    model,
    prompt,
    n: num_outputs,
    // Undefined parameters are not sent, so the answer is one JSON document and not a stream.
    stream: undefined,
  }
}

/** The pictures of an edit as its JSON body contains them. */
export function picturesInJson(images: readonly string[], mask: string | undefined): object {
  return {
    images: images.map((image_url) => ({ image_url })),
    ...(mask !== undefined && { mask: { image_url: mask } }),
  }
}
