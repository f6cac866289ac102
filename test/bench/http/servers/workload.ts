/** The jobs that each server of this bench serves, and the bodies that each client sends. */

export const apiKey = 'sk-bench-4f9d1c7e2b8a6053d1c7e2b8a605'
export const host = '127.0.0.1'

/** How many jobs the clients read in turn. */
export const jobCount = 1000

/**
 * When the provider asks to be polled, in milliseconds. Longer than a round of creates, so that all polls come after the
 * round and are measured separately.
 */
export const pollAfterMs = 3_000

/** The body of each create: some 300 bytes of JSON. */
export const exampleBody = {
  model: 'bench-video',
  prompt:
    'A red fox crosses a snowy clearing at dawn, low sun behind the pines, breath visible in the cold air, slow ' +
    'dolly shot at knee height, shallow depth of field, 35 mm film look, natural colours.',
  resolution: '720p',
  aspect_ratio: '16:9',
  duration: 6,
}

/** The body from which the jobs were created that clients read. Their job objects have some 700 bytes. */
export const readableBody = {
  ...exampleBody,
  model: 'bench-at-once',
  prompt: 'A red fox crosses a snowy clearing at dawn, low sun behind the pines.',
}
