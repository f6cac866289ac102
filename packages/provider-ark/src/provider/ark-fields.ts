import type { OutputKind } from '@genmount/core'
import type { OpenModelOptions, VendorFields } from '@genmount/provider-kit'

type FieldLimits = NonNullable<OpenModelOptions['limits']>

/** The parameters of images that become their `size`. */
export const sizeFields = ['aspect_ratio', 'resolution']

const imageFields: VendorFields = {
  image: 'image[14]',
  aspect_ratio: 'aspect_ratio',
  resolution: 'resolution',
  negative_prompt: false,
  seed: false,
  num_outputs: false,
}

const filmFields: VendorFields = {
  image: 'first_frame',
  aspect_ratio: 'ratio',
  resolution: 'resolution',
  seed: 'seed',
  duration: 'duration',
  negative_prompt: false,
  fps: false,
}

const lastFrame: VendorFields = { last_frame: 'last_frame' }
const sound: VendorFields = { sound: 'generate_audio' }

/** The further fields of video models, by the beginnings of the models' names. The first match counts. */
const furtherFields: readonly (readonly [RegExp, VendorFields])[] = [
  [
    /seedance-2-5/,
    {
      ...lastFrame,
      ...sound,
      reference_images: 'reference_image[30]',
      reference_videos: 'reference_video[10]',
      audio: 'reference_audio',
    },
  ],
  [
    /seedance-2/,
    {
      ...lastFrame,
      ...sound,
      reference_images: 'reference_image[9]',
      reference_videos: 'reference_video[3]',
      audio: 'reference_audio',
    },
  ],
  [/seedance-1-5-pro/, { ...lastFrame, ...sound }],
  [/seedance-1-0-pro-fast/, {}],
  [/seedance-1-0-pro/, lastFrame],
  [/seedance-1-0-lite-i2v/, { ...lastFrame, reference_images: 'reference_image[4]' }],
  [/seedance-1-0-lite-t2v/, { image: false }],
]

/**
 * Which fields a model has. Files of films go by their role in the `content` of the request: `first_frame`,
 * `last_frame`, `reference_image`, `reference_video`, `reference_audio`. The other names are parameters of the request.
 */
export function usualFields(model: string, outputKind: OutputKind): VendorFields {
  if (outputKind === 'image') return imageFields
  return { ...filmFields, ...furtherFields.find(([names]) => names.test(model))?.[1] }
}

/**
 * How long a film may be in seconds, by the models' names; with -1 the model chooses. Other models and endpoints decide themselves.
 * Read on 2026-11-27 in stored copies of https://developer.civitai.com/orchestration/recipes/seedance (4 to 15 or 30 seconds at
 * ModelArk) and https://skills.sh/site/skills.volces.com/byted-ark-seedance-skill (-1). Replicate's schemas of both models, of
 * 2026-08-20, have -1 too.
 */
const longestFilms: readonly (readonly [RegExp, number])[] = [
  [/seedance-2-5/, 30],
  [/seedance-2/, 15],
]

/** What a model accepts in its fields, as far as that is published. */
export function usualLimits(model: string, outputKind: OutputKind): FieldLimits {
  const longest = longestFilms.find(([names]) => names.test(model))?.[1]
  if (outputKind === 'image' || longest === undefined) return {}
  const duration = [-1, ...Array.from({ length: longest - 3 }, (_, index) => index + 4)]
  // Comfy Router's schema and resellers of ModelArk (docs.laozhang.ai, 2026-10-14) have 1080p.
  return model.includes('seedance-2-5') ? { duration, resolution: ['480p', '720p', '1080p'] } : { duration }
}

/**
 * The parameters that neither clients nor operators can set, because this provider sets them to control the request and
 * its answer.
 */
export const reservedParameters: Readonly<Record<OutputKind, readonly string[]>> = {
  image: ['model', 'prompt', 'image', 'response_format', 'stream'],
  video: ['model', 'prompt', 'content', 'callback_url'],
}
