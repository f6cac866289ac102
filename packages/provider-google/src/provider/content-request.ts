import { objectIn } from '../answers/object-in.ts'
import type { EncodedFile } from '../files/encoded-files.ts'
import { definedFields } from '@genmount/provider-kit'
import type { ImageInput } from './image-input.ts'

/** The body of `:generateContent`. @param pictures the pictures of the input, in the same order */
export function contentRequest(input: ImageInput, pictures: readonly EncodedFile[]): object {
  const { prompt, aspect_ratio, resolution, seed, provider_options = {} } = input
  const config = objectIn(provider_options, 'generationConfig')
  const imageConfig = {
    ...objectIn(config, 'imageConfig'),
    ...definedFields({ aspectRatio: aspect_ratio, imageSize: resolution }),
  }
  const parts = [{ text: prompt }, ...pictures.map((inlineData) => ({ inlineData }))]
  return {
    ...provider_options,
    contents: [{ role: 'user', parts }],
    generationConfig: {
      ...config,
      ...definedFields({ seed }),
      responseModalities: ['IMAGE'],
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
    },
  }
}
