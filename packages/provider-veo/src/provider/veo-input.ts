import { googlePictures } from '@genmount/google-http'
import {
  choiceField,
  closedInput,
  pictureField,
  providerOptionsField,
  type ProviderOptionsRule,
  textField,
  wholeNumberField,
} from '@genmount/input-fields'
import * as v from 'valibot'

const types = googlePictures

/** The input of a job. Length and resolution have defaults here, because the price depends on them. */
export const veoInput = (rule: ProviderOptionsRule) =>
  closedInput({
    prompt: textField('prompt', 32_000),
    seed: v.optional(wholeNumberField('seed', 0, 2_147_483_647)),
    provider_options: v.optional(providerOptionsField(rule)),
    image: v.optional(pictureField('image', { types })),
    last_frame: v.optional(pictureField('last_frame', { types })),
    negative_prompt: v.optional(textField('negative_prompt', 32_000)),
    aspect_ratio: v.optional(choiceField('aspect_ratio', ['16:9', '9:16'])),
    resolution: v.optional(choiceField('resolution', ['720p', '1080p', '4k']), '720p'),
    duration: v.optional(wholeNumberField('duration', 4, 8), 8),
    num_outputs: v.optional(wholeNumberField('num_outputs', 1, 4), 1),
  })

export type VeoInput = v.InferOutput<ReturnType<typeof veoInput>>

/** The names in Veo's `parameters` that the interface's own fields set. */
export const ownParameters = [
  'aspectRatio',
  'negativePrompt',
  'seed',
  'sampleCount',
  'resolution',
  'durationSeconds',
]
