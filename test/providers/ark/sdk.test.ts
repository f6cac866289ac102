import { createByteDance } from '@ai-sdk/bytedance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArkFake, arkFake, token } from './ark-fake.ts'

// The AI SDK's provider of ModelArk talks to the same fake as ours.

let fake: ArkFake
let sdk: ReturnType<typeof createByteDance>
beforeAll(async () => {
  fake = await arkFake()
  sdk = createByteDance({ apiKey: token, baseURL: fake.baseUrl })
})
afterAll(() => fake.close())

const image = {
  n: 1,
  size: undefined,
  aspectRatio: undefined,
  seed: undefined,
  files: undefined,
  mask: undefined,
  providerOptions: {},
}

test('the AI SDK makes images with the fake of ModelArk', async () => {
  const model = sdk.image('seedream-4-5-251128')
  const made = await model.doGenerate({ ...image, prompt: 'a fox', size: '2048x2048' })
  expect(made.images).toHaveLength(1)
  await expect(model.doGenerate({ ...image, prompt: 'forbidden' })).rejects.toThrow('sensitive information')
})

test('the AI SDK makes films with the fake of ModelArk', async () => {
  const picture = 'https://pictures.example.com/fox.png'
  const { videos, providerMetadata } = await sdk.video('seedance-1-5-pro-251215').doGenerate({
    prompt: 'a fox',
    n: 1,
    image: { type: 'url', url: picture },
    aspectRatio: '16:9',
    resolution: '1280x720',
    duration: 5,
    fps: undefined,
    seed: 7,
    frameImages: undefined,
    inputReferences: undefined,
    generateAudio: undefined,
    providerOptions: { bytedance: { lastFrameImage: picture, generateAudio: false, pollIntervalMs: 1 } },
  })
  expect(videos).toEqual([{ type: 'url', url: expect.stringContaining('film.mp4'), mediaType: 'video/mp4' }])
  expect(providerMetadata?.['bytedance']).toMatchObject({ usage: { completion_tokens: 108_900 } })
  expect(fake.ledger.at(-1)?.body).toMatchObject({
    content: [
      { type: 'text', text: 'a fox' },
      { type: 'image_url', image_url: { url: picture } },
      { type: 'image_url', image_url: { url: picture }, role: 'last_frame' },
    ],
    ratio: '16:9',
    resolution: '720p',
    duration: 5,
    seed: 7,
    generate_audio: false,
  })
})
