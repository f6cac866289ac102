import type { OutputKind } from '@genmount/core'
import type { VendorFields } from '@genmount/provider-kit'

const imageFields: VendorFields = {
  image: 'image[3]',
  num_outputs: 'n',
  negative_prompt: false,
  seed: false,
}

const lackingInFilms = { negative_prompt: false, seed: false, fps: false } as const

const newFilmFields: VendorFields = {
  ...lackingInFilms,
  reference_images: 'reference_images[7]',
  sound: 'generate_audio',
}

const changedFilmFields: VendorFields = {
  ...lackingInFilms,
  video: 'video',
  image: false,
  aspect_ratio: false,
  resolution: false,
}

/**
 * The fields of a model, and their names at xAI. xAI ignores unknown parameters, and charges for the output that it
 * makes without them. So a model has only fields that xAI documents for the model.
 */
export function usualFields(
  model: string,
  outputKind: OutputKind,
  task: 'generate' | 'edit' | 'extend',
): VendorFields {
  if (outputKind === 'image')
    return model.startsWith('grok-imagine-image-2.') ? { ...imageFields, image: 'image[5]' } : imageFields
  if (task === 'edit') return { ...changedFilmFields, duration: false }
  if (task === 'extend') return changedFilmFields
  const takesLastFrame = model.startsWith('grok-imagine-video-1.5')
  return takesLastFrame ? { ...newFilmFields, last_frame: 'last_frame' } : newFilmFields
}

/** The parameters that clients can't set in `provider_options`, in addition to those that the fields set. */
export const reservedParameters = ['model', 'image', 'images', 'video', 'n', 'response_format', 'stream']
