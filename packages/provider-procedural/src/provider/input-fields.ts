import { providerFailures } from '@genmount/core'
import { field } from '@genmount/provider-kit'
import * as v from 'valibot'

const resolutions = ['480p', '720p', '1080p'] as const

/** The types of pictures that can be edited. No other type is ever decoded, in particular not SVG. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

// The defaults of the fields on which the rendering time depends.
export const imageSize = { num_outputs: 1, resolution: undefined } as const
export const filmSize = { duration: 3, resolution: '720p', fps: 24 } as const

const shared = {
  prompt: field.text('prompt', 4000),
  aspect_ratio: v.optional(field.choice('aspect_ratio', ['1:1', '16:9', '9:16', '4:3', '3:4'])),
  seed: v.optional(field.wholeNumber('seed', 0, 4294967295)),
  // Accepts URLs of any host, because guardedFetch checks the address when it fetches the picture.
  image: v.optional(field.picture('image', { types: pictureTypes, hosts: 'any' })),
}

export const image = {
  ...shared,
  resolution: v.optional(field.choice('resolution', resolutions)),
  num_outputs: v.optional(field.wholeNumber('num_outputs', 1, 4), imageSize.num_outputs),
  format: v.optional(field.choice('format', ['png', 'webp', 'jpeg']), 'png'),
}

export const video = {
  ...shared,
  resolution: v.optional(field.choice('resolution', resolutions), filmSize.resolution),
  duration: v.optional(field.number('duration', 1, 10), filmSize.duration),
  fps: v.optional(field.wholeNumber('fps', 12, 30), filmSize.fps),
}

export const simulation = {
  simulate_latency_ms: v.optional(field.wholeNumber('simulate_latency_ms', 0, 600_000)),
  simulate_error: v.optional(field.choice('simulate_error', providerFailures)),
}

export type ImageInput = v.InferOutput<v.ObjectSchema<typeof image, undefined>>
export type VideoInput = v.InferOutput<v.ObjectSchema<typeof video, undefined>>
export type Simulation = v.InferOutput<v.ObjectSchema<typeof simulation, undefined>>
