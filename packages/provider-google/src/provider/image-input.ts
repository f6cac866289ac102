import { googlePictures } from '../files/encoded-files.ts'
import { closedInput, field, type ProviderOptionsRule } from '@genmount/provider-kit'
import { mostSpreadOutputs } from '@genmount/provider-kit/spreading'
import * as v from 'valibot'

const usualRatios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9'.split(' ')
const allRatios = [...usualRatios, '1:4', '4:1', '1:8', '8:1']

/** What a model accepts as `imageConfig`. */
interface ImageShapes {
  readonly ratios: readonly string[]
  readonly sizes: readonly string[]
}

/**
 * The shapes by the names of the models; the first match counts. Read on 2026-11-27 in a stored copy of
 * https://tanstack.com/ai/latest/docs/media/image-generation-advanced. Gemini 3.1 Flash Image, which takes everything, has ended.
 */
const shapesOfModels: readonly (readonly [RegExp, ImageShapes])[] = [
  [/^gemini-3-pro-image/, { ratios: usualRatios, sizes: ['1K', '2K', '4K'] }],
  [/flash-lite-image/, { ratios: allRatios, sizes: ['1K'] }],
  [/^gemini-nano-banana-2/, { ratios: allRatios, sizes: ['1K', '2K', '4K'] }],
]
const anyShape: ImageShapes = { ratios: allRatios, sizes: ['512', '1K', '2K', '4K'] }

/**
 * The input of a job.
 * @param model Google's name for the model. An unknown one may take any shape
 */
export function imageInput(rule: ProviderOptionsRule, model: string) {
  const { ratios, sizes } = shapesOfModels.find(([names]) => names.test(model))?.[1] ?? anyShape
  return closedInput({
    prompt: field.text('prompt', 32_000),
    seed: v.optional(field.wholeNumber('seed', 0, 2_147_483_647)),
    provider_options: v.optional(field.providerOptions(rule)),
    image: v.optional(field.pictures('image', 14, { types: googlePictures })),
    aspect_ratio: v.optional(field.choice('aspect_ratio', ratios)),
    resolution: v.optional(field.choice('resolution', sizes)),
    num_outputs: v.optional(field.wholeNumber('num_outputs', 1, mostSpreadOutputs)),
  })
}

export type ImageInput = v.InferOutput<ReturnType<typeof imageInput>>

/** The names in Gemini's request that the interface's own fields set, and the names that limit a job to one image. */
export const ownParameters = [
  'contents',
  ...['seed', 'candidateCount', 'responseModalities', 'imageConfig.aspectRatio', 'imageConfig.imageSize'].map(
    (name) => `generationConfig.${name}`,
  ),
]
