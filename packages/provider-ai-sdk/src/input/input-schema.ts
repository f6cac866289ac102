import type { JsonObject, OutputKind } from '@genmount/core'
import { closedInput, field, inputRule, type ProviderOptionsRule } from '@genmount/provider-kit'
import * as v from 'valibot'

/** The traits of a model that decide which fields its input has. */
export interface InputTraits {
  readonly outputKind: OutputKind
  readonly maxOutputs: number
  readonly takesFiles: boolean
  readonly rule: ProviderOptionsRule
}

/** The picture types whose media type every AI SDK package knows. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const
const pictures = { types: pictureTypes }
const maxPictures = 16

const sharedFields = {
  prompt: v.optional(field.text('prompt', 32_000)),
  aspect_ratio: v.optional(field.aspectRatio()),
  seed: v.optional(field.wholeNumber('seed', 0, 4_294_967_295)),
}

const optionsField = (rule: ProviderOptionsRule) =>
  v.optional(
    v.pipe(
      field.providerOptions(rule),
      v.custom<Readonly<Record<string, JsonObject>>>(
        (options) => isObject(options) && Object.values(options).every(isObject),
        'provider_options must be an object of objects, each under the name of a vendor.',
      ),
    ),
  )

const imageFields = {
  ...sharedFields,
  size: v.optional(field.form('size', 'width x height in pixels, such as 1024x1024', /^\d{2,5}x\d{2,5}$/)),
}

const fileFields = {
  image: v.optional(field.pictures('image', maxPictures, pictures)),
  mask: v.optional(field.picture('mask', pictures)),
}

const videoFields = {
  ...sharedFields,
  resolution: v.optional(
    field.form(
      'resolution',
      '480p, 720p, 1080p, 4k, or width x height such as 1280x720',
      /^(480p|720p|1080p|4k|\d{2,5}x\d{2,5})$/,
    ),
  ),
  duration: v.optional(field.number('duration', 0.1, 600)),
  fps: v.optional(field.wholeNumber('fps', 1, 120)),
  sound: v.optional(v.boolean('sound must be true or false.')),
  image: v.optional(field.picture('image', pictures)),
  last_frame: v.optional(field.picture('last_frame', pictures)),
  reference_images: v.optional(field.pictures('reference_images', maxPictures, pictures)),
}

/** The input of an image or video model: the names and types of the fields of both. */
export type MediaInput = Omit<ImageInput, 'image'> &
  Omit<VideoInput, 'image'> & {
    readonly image?: string | string[] | undefined
    readonly num_outputs: number
    readonly provider_options?: Readonly<Record<string, JsonObject>> | undefined
  }

type ImageInput = v.InferOutput<v.ObjectSchema<typeof imageFields & typeof fileFields, undefined>>
type VideoInput = v.InferOutput<v.ObjectSchema<typeof videoFields, undefined>>

/** The input schema of a model. The vendor and its AI SDK package decide which of the fields have an effect. */
export function inputSchema({ outputKind, maxOutputs, takesFiles, rule }: InputTraits) {
  const more = {
    num_outputs: v.optional(field.wholeNumber('num_outputs', 1, maxOutputs), 1),
    provider_options: optionsField(rule),
  }
  if (outputKind === 'video')
    return v.pipe(closedInput({ ...videoFields, ...more }), inputRule.requiredUnless('prompt', ['image']))
  if (!takesFiles) return closedInput({ ...imageFields, ...more, prompt: field.text('prompt', 32_000) })
  return v.pipe(
    closedInput({ ...imageFields, ...fileFields, ...more }),
    inputRule.requiredUnless('prompt', ['image']),
    inputRule.onlyWith('mask', 'image'),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
