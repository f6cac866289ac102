import type { JsonObject, Provider } from '@genmount/core'
import { openrouterProvider } from '@genmount/provider-openai/openrouter'
import { openaiVideosProvider, type OpenaiVideosModel } from '@genmount/provider-openai/videos'
import { fakeFile } from '@genmount/testing'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { openaiVideosFake, token } from './openai-videos-fake.ts'
import { openrouterFake, token as openrouterKey } from './openrouter-fake.ts'

const { signal } = new AbortController()
const fox = 'https://pictures.example.com/fox.png'
const hen = 'https://pictures.example.com/hen.png'
const dataUri = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

/** Validates an input and submits it. @returns the report, or the error message for the client */
async function submit(provider: Provider, fields: JsonObject) {
  const checked = await provider.models[0]!.input['~standard'].validate(fields)
  if (checked.issues) return checked.issues.map(({ message }) => message).join()
  const input = checked.value as JsonObject
  const call = { signal, callbackUrl: 'https://app.example/v1/callbacks/x/job/secret' }
  return provider.submit({ jobId: 'job', model: 'film', input, clientToken: 'token' }, call)
}

async function server(body: 'json' | 'form', model: OpenaiVideosModel = {}) {
  const fake = await openaiVideosFake({ body })
  onTestFinished(() => fake.close())
  const film = { model: 'wan-2.2', ...model }
  const provider = openaiVideosProvider({ token, baseUrl: fake.baseUrl, body, models: { film } })
  return { fake, provider }
}

test("the fields of a job become those of OpenAI's API for videos, in which seconds are a text", async () => {
  const { fake, provider } = await server('json', { model: 'sora-2' })
  const input = { prompt: 'a fox', image: fox, duration: 8, resolution: '1280x720' }
  expect(await submit(provider, input)).toMatchObject({ state: 'running' })
  expect(fake.ledger[0]!.body).toEqual({
    model: 'sora-2',
    prompt: 'a fox',
    seconds: '8',
    size: '1280x720',
    input_reference: { image_url: fox },
  })
})

test('in a form, as vLLM-Omni wants it, the picture of a job is a file, and its own parameters are sent', async () => {
  const { fake, provider } = await server('form', {
    fields: { seed: 'seed', negative_prompt: 'negative_prompt' },
    inputs: { num_inference_steps: v.optional(v.number(), 30) },
  })
  const input = { prompt: 'a fox', image: dataUri, duration: 4, seed: 7, negative_prompt: 'snow' }
  expect(await submit(provider, input)).toMatchObject({ state: 'running' })
  const { input_reference: file, ...others } = fake.ledger[0]!.body as { input_reference: File }
  expect(others).toEqual({
    model: 'wan-2.2',
    prompt: 'a fox',
    seconds: '4',
    seed: '7',
    negative_prompt: 'snow',
    num_inference_steps: '30',
  })
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(fakeFile('image').bytes)
})

test('a length that the operator fixes is sent, and clients can not choose another', async () => {
  const { fake, provider } = await server('json', { providerOptions: { seconds: '4' } })
  expect(await submit(provider, { prompt: 'a fox', duration: 8 })).toMatch(/^duration is unknown/)
  await submit(provider, { prompt: 'a fox' })
  expect(fake.ledger[0]!.body).toMatchObject({ seconds: '4' })
})

test("the fields of a job become those of OpenRouter's films, frames and references among them", async () => {
  const fake = await openrouterFake()
  onTestFinished(() => fake.close())
  const models = {
    film: { model: 'google/veo-3.1', allowedProviderOptions: ['provider.options.google-vertex'] },
  }
  const provider = openrouterProvider({ token: openrouterKey, baseUrl: fake.baseUrl, models })
  const vertex = { provider: { options: { 'google-vertex': { parameters: { personGeneration: 'allow' } } } } }
  const report = await submit(provider, {
    prompt: 'a fox',
    image: fox,
    last_frame: hen,
    reference_images: [fox],
    reference_videos: ['https://films.example.com/a.mp4'],
    audio: 'https://sounds.example.com/a.mp3',
    duration: 8,
    resolution: '720p',
    aspect_ratio: '16:9',
    sound: true,
    seed: 7,
    provider_options: vertex,
  })
  expect(report).toMatchObject({ state: 'running' })
  const part = (type: string, url: string) => ({ type, [type]: { url } })
  expect(fake.ledger[0]!.body).toEqual({
    model: 'google/veo-3.1',
    prompt: 'a fox',
    frame_images: [
      { ...part('image_url', fox), frame_type: 'first_frame' },
      { ...part('image_url', hen), frame_type: 'last_frame' },
    ],
    input_references: [
      part('image_url', fox),
      part('video_url', 'https://films.example.com/a.mp4'),
      part('audio_url', 'https://sounds.example.com/a.mp3'),
    ],
    duration: 8,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: true,
    seed: 7,
    callback_url: 'https://app.example/v1/callbacks/x/job/secret',
    ...vertex,
  })
})

test('a request that is still being answered is sent again later, and gets the film of the first', async () => {
  const fake = await openaiVideosFake({ hasKeys: true })
  onTestFinished(() => fake.close())
  const models = { film: { model: 'sora-2' } }
  const provider = openaiVideosProvider({ token, baseUrl: fake.baseUrl, models, dedupesSubmits: true })
  const first = await submit(provider, { prompt: 'a fox' })
  fake.trouble('POST /v1/videos', { instead: { status: 409, json: { error: { message: 'In progress.' } } } })
  expect(await submit(provider, { prompt: 'a fox' })).toMatchObject({ state: 'refused', status: 409 })
  expect(await submit(provider, { prompt: 'a fox' })).toEqual(first)
  expect(fake.ledger).toHaveLength(1)
})
