import { googleFilms, googlePictures } from '../files/encoded-files.ts'
import { closedInput, field, inputRule, type ProviderOptionsRule } from '@genmount/provider-kit'
import { mostSpreadOutputs } from '@genmount/provider-kit/spreading'
import * as v from 'valibot'

const types = googlePictures

/** The input of a job. Length and resolution have defaults here, because the price depends on them. */
export const omniInput = (rule: ProviderOptionsRule) =>
  v.pipe(
    closedInput({
      prompt: field.text('prompt', 32_000),
      image: v.optional(field.picture('image', { types })),
      last_frame: v.optional(field.picture('last_frame', { types })),
      reference_images: v.optional(field.pictureList('reference_images', 10, { types })),
      video: v.optional(field.picture('video', { types: googleFilms })),
      aspect_ratio: v.optional(field.choice('aspect_ratio', ['16:9', '9:16'])),
      resolution: v.optional(field.choice('resolution', ['360p', '720p', '1080p', '4k']), '720p'),
      duration: v.optional(field.wholeNumber('duration', 3, 15), 8),
      num_outputs: v.optional(field.wholeNumber('num_outputs', 1, mostSpreadOutputs)),
      provider_options: v.optional(field.providerOptions(rule)),
    }),
    inputRule.onlyWith('last_frame', 'image'),
    inputRule.onlyWithout('image', 'video'),
  )

export type OmniInput = v.InferOutput<ReturnType<typeof omniInput>>

/** The names in a request that the interface's own fields or the provider set. */
export const ownParameters =
  'model input background store stream response_format response_modalities previous_interaction_id webhook_config agent tools generation_config.video_config.task'.split(
    ' ',
  )
