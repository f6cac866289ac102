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

/**
 * URLs and data URIs go to OpenAI unchanged, and OpenAI fetches the URLs. The length is OpenAI's limit for a data URI.
 */
const pictures: PictureRules = { types: ['png', 'jpeg', 'webp'], maxUriLength: 20_971_520 }

/** The parameters that the interface's own fields set, and those that would turn the answer into a stream. */
export const ownParameters = [
  'prompt',
  'image',
  'images',
  'mask',
  'size',
  'quality',
  'output_format',
  'n',
  'model',
  'stream',
  'partial_images',
]

/** The input of a GPT Image job. */
export const imageInput = (rule: ProviderOptionsRule) =>
  v.pipe(
    closedInput({
      prompt: textField('prompt', 32_000),
      image: v.optional(picturesField('image', 16, pictures)),
      mask: v.optional(pictureField('mask', pictures)),
      aspect_ratio: v.optional(choiceField('aspect_ratio', aspectRatios)),
      quality: v.optional(choiceField('quality', ['auto', 'low', 'medium', 'high', 'xhigh', 'max'])),
      format: v.optional(choiceField('format', ['png', 'webp', 'jpeg'])),
      num_outputs: v.optional(wholeNumberField('num_outputs', 1, 10), 1),
      provider_options: v.optional(providerOptionsField(rule)),
    }),
    onlyWith('mask', 'image'),
  )

export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/**
 * The path and the body of the request for a job. Edits are sent as JSON too, with their pictures as URLs or data URIs.
 */
export function imageRequest(model: string, input: ImageInput): { path: string; json: object } {
  const { prompt, image, mask, aspect_ratio, quality, format, num_outputs, provider_options } = input
  const shared = {
    ...provider_options,
    ...given({ quality, size: aspect_ratio && sizes[aspect_ratio], output_format: format }),
    model,
    prompt,
    n: num_outputs,
    // Undefined fields are not sent, so the answer is one JSON document and not a stream.
    stream: undefined,
  }
  if (image === undefined) return { path: '/images/generations', json: shared }
  const images = [image].flat().map((image_url) => ({ image_url }))
  return { path: '/images/edits', json: { ...shared, images, ...(mask && { mask: { image_url: mask } }) } }
}
