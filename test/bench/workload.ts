/** The requests that clients of a bench send, and the jobs that they read. */

export const owner = 'alice'
export const apiKey = 'sk-bench-4f9d1c7e2b8a6053d1c7e2b8a605'
export const host = '127.0.0.1'

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

/** An input for one of many jobs: each index gives a slightly different one. */
export function exampleInput(index?: number) {
  const { model: _, ...input } = exampleBody
  return index === undefined ? input : { ...input, prompt: `Scene ${index}: ${input.prompt}` }
}

/** The body from which the jobs were created that clients read. Their job objects have some 700 bytes. */
export const readableBody = {
  ...exampleBody,
  model: 'bench-at-once',
  prompt: 'A red fox crosses a snowy clearing at dawn, low sun behind the pines.',
}
