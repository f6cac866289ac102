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
import { withinRenderSeconds } from './within-render-seconds.ts'

const resolutions = ['480p', '720p', '1080p'] as const

/** What can be drawn on. Nothing else is ever decoded, SVG least of all. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

// How much is drawn when nothing is said of it, by the fields that tell what a job costs.
const imageSize = { num_outputs: 1, resolution: undefined } as const
const filmSize = { duration: 3, resolution: '720p', fps: 24 } as const

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
  num_outputs: v.optional(wholeNumberField('num_outputs', 1, 4), imageSize.num_outputs),
  format: v.optional(choiceField('format', ['png', 'webp', 'jpeg']), 'png'),
}

const video = {
  ...shared,
  resolution: v.optional(choiceField('resolution', resolutions), filmSize.resolution),
  duration: v.optional(numberField('duration', 1, 10), filmSize.duration),
  fps: v.optional(wholeNumberField('fps', 12, 30), filmSize.fps),
}

const simulation = {
  simulate_latency_ms: v.optional(wholeNumberField('simulate_latency_ms', 0, 600_000)),
  simulate_error: v.optional(choiceField('simulate_error', providerFailures)),
}

export type ImageInput = v.InferOutput<v.ObjectSchema<typeof image, undefined>>
export type VideoInput = v.InferOutput<v.ObjectSchema<typeof video, undefined>>
export type Simulation = v.InferOutput<v.ObjectSchema<typeof simulation, undefined>>

/** The least bound of the time to render: with it a prompt is taken, and a prompt with a picture. */
export const leastRenderSeconds = 4

/**
 * The inputs of the two models; `allowSimulation` adds the fields that rehearse slow and failing jobs. What is estimated to
 * take more than `maxRenderSeconds` is refused by the field that costs most.
 */
export function inputSchemas(allowSimulation: boolean, maxRenderSeconds: number) {
  const extra = allowSimulation ? simulation : {}
  return {
    image: v.pipe(
      closedInput({ ...image, ...extra }),
      withinRenderSeconds<ImageInput>(maxRenderSeconds, imageSize),
    ),
    video: v.pipe(
      closedInput({ ...video, ...extra }),
      withinRenderSeconds<VideoInput>(maxRenderSeconds, filmSize),
    ),
  }
}
