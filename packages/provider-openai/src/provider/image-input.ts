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

/** Shapes by the sizes that are asked for. The first three are known to every model, the rest from gpt-image-2 on. */
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

/** OpenAI fetches them, or finds them in the text: we never do. It has a limit for such texts. */
const pictures: PictureRules = { types: ['png', 'jpeg', 'webp'], maxUriLength: 20_971_520 }

/** What our fields set, and what makes the answer one piece of JSON. */
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

/** What a job of a GPT Image model takes. */
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

/** Where a job's input goes, and as what. Edits go as JSON, in which pictures are URLs or data URIs. */
export function imageRequest(model: string, input: ImageInput): { path: string; json: object } {
  const { prompt, image, mask, aspect_ratio, quality, format, num_outputs, provider_options } = input
  const shared = {
    ...provider_options,
    ...given({ quality, size: aspect_ratio && sizes[aspect_ratio], output_format: format }),
    model,
    prompt,
    n: num_outputs,
    // The answer is to come as one piece of JSON; what is undefined is not sent.
    stream: undefined,
  }
  if (image === undefined) return { path: '/images/generations', json: shared }
  const images = [image].flat().map((image_url) => ({ image_url }))
  return { path: '/images/edits', json: { ...shared, images, ...(mask && { mask: { image_url: mask } }) } }
}
