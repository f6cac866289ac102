import { googlePictures } from '../files/encoded-files.ts'
import { closedInput, field, type ProviderOptionsRule } from '@genmount/provider-kit'
import * as v from 'valibot'

const ratios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 1:4 4:1 1:8 8:1'.split(' ')

/** The input of a job. */
export const imageInput = (rule: ProviderOptionsRule) =>
  closedInput({
    prompt: field.text('prompt', 32_000),
    seed: v.optional(field.wholeNumber('seed', 0, 2_147_483_647)),
    provider_options: v.optional(field.providerOptions(rule)),
    image: v.optional(field.pictures('image', 14, { types: googlePictures })),
    aspect_ratio: v.optional(field.choice('aspect_ratio', ratios)),
    resolution: v.optional(field.choice('resolution', ['512', '1K', '2K', '4K'])),
    num_outputs: v.optional(v.literal(1, 'num_outputs must be 1: this model makes one image per job.')),
  })

export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** The names in Gemini's request that the interface's own fields set, and the names that limit a job to one image. */
export const ownParameters = [
  'contents',
  ...['seed', 'candidateCount', 'responseModalities', 'imageConfig.aspectRatio', 'imageConfig.imageSize'].map(
    (name) => `generationConfig.${name}`,
  ),
]
