/** What every server of this bench serves and every client sends. */

export const apiKey = 'sk-bench-4f9d1c7e2b8a6053d1c7e2b8a605'
export const host = '127.0.0.1'

/** How many jobs are there to be read, in turn. */
export const jobCount = 1000

/** What creates send: some 300 bytes of JSON. */
export const exampleBody = {
  model: 'bench-video',
  prompt:
    'A red fox crosses a snowy clearing at dawn, low sun behind the pines, breath visible in the cold air, slow ' +
    'dolly shot at knee height, shallow depth of field, 35 mm film look, natural colours.',
  resolution: '720p',
  aspect_ratio: '16:9',
  duration: 6,
}

/** What the jobs that are read were made of; as job objects they have some 700 bytes. */
export const readableBody = {
  ...exampleBody,
  model: 'bench-at-once',
  prompt: 'A red fox crosses a snowy clearing at dawn, low sun behind the pines.',
}
