import { providerFailures } from '@genmount/core'
import {
  choiceField,
  closedInput,
  numberField,
  pictureField,
  textField,
  wholeNumberField,
} from '@genmount/input-fields'
import * as v from 'valibot'

const resolutions = ['480p', '720p', '1080p'] as const

/** What can be drawn on. Nothing else is ever decoded, SVG least of all. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

const shared = {
  prompt: textField('prompt', 4000),
  aspect_ratio: v.optional(choiceField('aspect_ratio', ['1:1', '16:9', '9:16', '4:3', '3:4'])),
  seed: v.optional(wholeNumberField('seed', 0, 4294967295)),
  // Whoever fetches it checks where it leads.
  image: v.optional(pictureField('image', { types: pictureTypes, hosts: 'any' })),
}

const image = {
  ...shared,
  resolution: v.optional(choiceField('resolution', resolutions)),
  num_outputs: v.optional(wholeNumberField('num_outputs', 1, 4), 1),
  format: v.optional(choiceField('format', ['png', 'webp', 'jpeg']), 'png'),
}

const video = {
  ...shared,
  resolution: v.optional(choiceField('resolution', resolutions), '720p'),
  duration: v.optional(numberField('duration', 1, 10), 3),
  fps: v.optional(wholeNumberField('fps', 12, 30), 24),
}

const simulation = {
  simulate_latency_ms: v.optional(wholeNumberField('simulate_latency_ms', 0, 600_000)),
  simulate_error: v.optional(choiceField('simulate_error', providerFailures)),
}

export type ImageInput = v.InferOutput<v.ObjectSchema<typeof image, undefined>>
export type VideoInput = v.InferOutput<v.ObjectSchema<typeof video, undefined>>
export type Simulation = v.InferOutput<v.ObjectSchema<typeof simulation, undefined>>

/** The inputs of the two models; `allowSimulation` adds the fields that rehearse slow and failing jobs. */
export function inputSchemas(allowSimulation: boolean) {
  const extra = allowSimulation ? simulation : {}
  return { image: closedInput({ ...image, ...extra }), video: closedInput({ ...video, ...extra }) }
}
