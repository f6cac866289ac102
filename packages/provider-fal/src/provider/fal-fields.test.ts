import { expect, test } from 'vitest'
import type { JsonObject } from '@genmount/core'
import { z } from 'zod'
import type { FalModel } from './fal-options.ts'
import { falProvider } from './fal-provider.ts'

const fox = 'https://example.com/fox.png'
const hen = 'https://example.com/hen.png'
const film = 'https://example.com/film.mp4'
const song = 'data:audio/mpeg;base64,SUQzBAAAAAAA'

/** The input that fal gets for a client's input, or the error message for the client. */
async function sent(model: Partial<FalModel>, input: JsonObject) {
  const bodies: unknown[] = []
  const provider = falProvider({
    token: 'id:secret',
    models: { it: { endpoint: 'acme/it', outputKind: 'video', ...model } },
    fetch: async (_url, init = {}) => {
      bodies.push(await new Response(init.body).json())
      return Response.json({ request_id: 'r-1' })
    },
  })
  const read = await provider.models[0]!.input['~standard'].validate(input)
  if (read.issues) return read.issues.map(({ message }) => message).join()
  const task = { jobId: 'j', model: 'it', input: read.value as JsonObject, clientToken: 't' }
  await provider.submit(task, { signal: new AbortController().signal })
  return bodies[0]
}

test.each<[string, NonNullable<FalModel['fields']>, JsonObject, JsonObject]>([
  [
    'pictures, films and a recording to go by, and sound',
    {
      reference_images: 'image_urls[9]',
      reference_videos: 'video_urls[3]',
      audio: 'audio_urls[]',
      sound: 'generate_audio',
    },
    { prompt: 'a', reference_images: [fox, hen], reference_videos: [film], audio: song, sound: false },
    { prompt: 'a', image_urls: [fox, hen], video_urls: [film], audio_urls: [song], generate_audio: false },
  ],
  [
    'first and last frame, and how closely to follow the prompt, as Kling has them',
    { last_frame: 'tail_image_url', guidance: 'cfg_scale' },
    { prompt: 'a', image: fox, last_frame: hen, guidance: 0.5, negative_prompt: 'snow' },
    { prompt: 'a', image_url: fox, tail_image_url: hen, cfg_scale: 0.5, negative_prompt: 'snow' },
  ],
  [
    'a film to work on, in several versions',
    { video: 'video_url', num_outputs: 'num_videos' },
    { video: film, num_outputs: 2 },
    { video_url: film, num_videos: 2 },
  ],
  [
    'pictures to edit within a mask',
    { image: 'image_urls[]', mask: 'mask_url' },
    { prompt: 'a', image: [fox, hen], mask: hen },
    { prompt: 'a', image_urls: [fox, hen], mask_url: hen },
  ],
])('falProvider sends %s under the names of the endpoint', async (_what, fields, input, body) => {
  expect(await sent({ fields }, input)).toEqual(body)
})

test.each<[NonNullable<FalModel['fields']>, JsonObject, string]>([
  [{}, { last_frame: fox }, 'last_frame is unknown; this model accepts prompt, negative_prompt, image'],
  [{}, { sound: true }, 'sound is unknown'],
  [{}, { num_outputs: 2 }, 'num_outputs is unknown'],
  [{ seed: false }, { seed: 7 }, 'seed is unknown'],
  [{}, { image: [fox] }, 'image must be a'],
  [{ image: 'image_urls[2]' }, { image: [fox, fox, fox] }, 'a list of 1 to 2'],
  [{ reference_images: 'style_url' }, { reference_images: [fox, hen] }, 'a list of 1 URL or data URI'],
  [{ sound: 'generate_audio' }, { sound: 'on' }, 'sound must be true or false'],
  [{ guidance: 'guidance_scale' }, { guidance: -1 }, 'guidance must be a number from 0 to 100'],
  [{ video: 'video_url' }, { video: 'http://127.0.0.1/film.mp4' }, 'video: '],
  [{ video: 'video_url' }, { video: 'data:image/png;base64,AAEC' }, 'a data URI with a film'],
  [{ audio: 'audio_url' }, { audio: 'data:video/mp4;base64,AAEC' }, 'a data URI with a recording'],
  [{ mask: 'mask_url' }, { mask: fox }, 'mask is only accepted together with image'],
])(
  'with the fields %j, the input %j is refused with the name of its field',
  async (fields, input, message) => {
    expect(await sent({ fields }, { prompt: 'a', ...input })).toContain(message)
  },
)

test("the operator's own inputs are validated, have their defaults, and are sent under their names", async () => {
  const inputs = { lora_strength: z.number().min(0).max(2), steps: z.int().default(28) }
  expect(await sent({ inputs }, { prompt: 'a', lora_strength: 0.8 })).toEqual({
    prompt: 'a',
    lora_strength: 0.8,
    steps: 28,
  })
  expect(await sent({ inputs }, { prompt: 'a', lora_strength: 3 })).toMatch(/^lora_strength: .*2/)
  expect(await sent({ inputs }, { prompt: 'a' })).toBe('lora_strength is required.')
  expect(await sent({ inputs }, { prompt: 'a', strength: 1 })).toContain(
    'strength is unknown; this model accepts prompt, negative_prompt, image, aspect_ratio, resolution, seed, duration, fps, lora_strength, steps',
  )
})

test.each<[Partial<FalModel>, string]>([
  [{ inputs: { seed: z.int() } }, "models['it'].inputs can't have seed"],
  [{ inputs: { image_url: z.string() } }, "models['it'].inputs can't have image_url"],
  [{ inputs: { sync_mode: z.boolean() } }, "models['it'].inputs can't have sync_mode"],
  [{ inputs: { provider_options: z.object() } }, "models['it'].inputs can't have provider_options"],
  [{ inputs: { model: z.string() } }, "models['it'].inputs can't have model"],
  [{ inputs: { 'lora strength': z.number() } }, "models['it'].inputs can't have lora strength"],
  [{ inputs: { steps: 28 as never } }, "models['it'].inputs.steps must be a Standard Schema"],
  [
    { inputs: { steps: z.any().refine(async () => true) } },
    "models['it'].inputs.steps must validate synchronously",
  ],
  [
    { fields: { last_frame: 'image_url' } },
    "models['it'].fields sends image and last_frame both as image_url",
  ],
  [
    { inputs: { steps: z.int() }, allowedProviderOptions: ['steps'] },
    "models['it'].allowedProviderOptions can't allow steps",
  ],
  [
    { fields: { sound: 'generate_audio' }, allowedProviderOptions: ['generate_audio'] },
    "models['it'].allowedProviderOptions can't allow generate_audio",
  ],
])('falProvider throws a TypeError that explains the wrong options %j of a model', async (model, message) => {
  const models = { it: { endpoint: 'acme/it', outputKind: 'video' as const, ...model } }
  expect(() => falProvider({ token: 'id:secret', models })).toThrow(TypeError)
  expect(() => falProvider({ token: 'id:secret', models })).toThrow(message)
})
