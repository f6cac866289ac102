import { expect, test } from 'vitest'
import type { JsonObject } from '@genmount/core'
import { z } from 'zod'
import type { ReplicateModel } from './replicate-options.ts'
import { replicateProvider } from './replicate-provider.ts'

const fox = 'https://example.com/fox.png'
const hen = 'https://example.com/hen.png'
const film = 'https://example.com/film.mp4'
const song = 'https://example.com/song.mp3'

/** The input that Replicate gets for a client's input, or the error message for the client. */
async function sent(model: Partial<ReplicateModel>, input: JsonObject) {
  const bodies: { readonly input?: unknown }[] = []
  const provider = replicateProvider({
    token: 'r8_secret',
    models: { it: { model: 'acme/it', outputKind: 'image', ...model } },
    fetch: async (_url, init = {}) => {
      bodies.push((await new Response(init.body).json()) as object)
      return Response.json({ id: 'p1', status: 'starting' }, { status: 201 })
    },
  })
  const read = await provider.models[0]!.input['~standard'].validate(input)
  if (read.issues) return read.issues.map(({ message }) => message).join()
  const task = { jobId: 'j', model: 'it', input: read.value as JsonObject, clientToken: 't' }
  await provider.submit(task, { signal: new AbortController().signal })
  return bodies[0]?.input
}

test('replicateProvider sends several pictures as numbered inputs, as FLUX.2 has them', async () => {
  const fields = { image: ['input_image', 'input_image_2', 'input_image_3'] }
  const input = { prompt: 'a', image: [fox, hen] }
  expect(await sent({ fields }, input)).toEqual({ prompt: 'a', input_image: fox, input_image_2: hen })
  expect(await sent({ fields }, { prompt: 'a', image: fox })).toEqual({ prompt: 'a', input_image: fox })
  expect(await sent({ fields }, { prompt: 'a', image: [fox, fox, fox, hen] })).toContain('a list of 1 to 3')
})

test('replicateProvider sends pictures to edit and then reference pictures in one list', async () => {
  const fields = { image: 'image_input[]', reference_images: 'image_input[]' }
  const input = { prompt: 'a', reference_images: [hen, fox], image: film }
  expect(await sent({ fields }, input)).toEqual({ prompt: 'a', image_input: [film, hen, fox] })
})

test('replicateProvider sends every field under the name that the model has for it', async () => {
  const fields: ReplicateModel['fields'] = {
    image: 'start_image',
    last_frame: 'end_image',
    reference_images: 'reference_images[7]',
    reference_videos: 'reference_video',
    mask: 'mask',
    video: 'video',
    audio: 'audio',
    sound: 'generate_audio',
    guidance: 'guidance_scale',
    num_outputs: 'number_of_videos',
  }
  const input = {
    prompt: 'a',
    negative_prompt: 'b',
    image: fox,
    last_frame: hen,
    reference_images: [fox],
    reference_videos: [film],
    mask: hen,
    video: film,
    audio: song,
    sound: true,
    guidance: 7.5,
    num_outputs: 2,
    seed: 3,
  }
  expect(await sent({ outputKind: 'video', fields }, input)).toEqual({
    prompt: 'a',
    negative_prompt: 'b',
    start_image: fox,
    end_image: hen,
    reference_images: [fox],
    reference_video: film,
    mask: hen,
    video: film,
    audio: song,
    generate_audio: true,
    guidance_scale: 7.5,
    number_of_videos: 2,
    seed: 3,
  })
})

test('replicateProvider refuses a field that the model does not have, by its name', async () => {
  for (const field of ['last_frame', 'mask', 'sound', 'guidance', 'video', 'audio', 'reference_images'])
    expect(await sent({}, { prompt: 'a', [field]: fox })).toContain(`${field} is unknown; this model accepts`)
  expect(await sent({ fields: { negative_prompt: false } }, { prompt: 'a', negative_prompt: 'b' })).toContain(
    'negative_prompt is unknown',
  )
})

test('a Replicate model can do without a prompt, and takes the inputs that the operator has added', async () => {
  const model = { fields: { prompt: false }, inputs: { scale: z.literal([2, 4]).optional() } } as const
  expect(await sent(model, { image: fox, scale: 4 })).toEqual({ image: fox, scale: 4 })
  expect(await sent(model, { image: fox })).toEqual({ image: fox })
  expect(await sent(model, { image: fox, scale: 3 })).toContain('scale: ')
  expect(await sent(model, { image: fox, prompt: 'a' })).toContain('prompt is unknown')
})
