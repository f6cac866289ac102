import { createXai } from '@ai-sdk/xai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { token, type XaiFake, xaiFake } from './xai-fake.ts'

// The AI SDK's provider of xAI talks to the same fake as ours.

let fake: XaiFake
let sdk: ReturnType<typeof createXai>
beforeAll(async () => {
  fake = await xaiFake()
  sdk = createXai({ apiKey: token, baseURL: fake.baseUrl })
})
afterAll(() => fake.close())

const image = {
  size: undefined,
  aspectRatio: undefined,
  seed: undefined,
  providerOptions: {},
  mask: undefined,
}

test('the AI SDK makes and edits images with the fake of xAI', async () => {
  const model = sdk.image('grok-imagine-image')
  const made = await model.doGenerate({ ...image, prompt: 'a fox', n: 2, files: undefined })
  expect(made.images).toHaveLength(2)
  expect(made.providerMetadata?.['xai']).toMatchObject({ costInUsdTicks: 400_000_000 })
  const files = ['a', 'b'].map((name) => ({
    type: 'url' as const,
    url: `https://pictures.example.com/${name}.png`,
  }))
  const edited = await model.doGenerate({ ...image, prompt: 'make it snow', n: 1, files })
  expect(edited.images).toHaveLength(1)
  expect(fake.ledger.at(-1)).toMatchObject({
    path: '/v1/images/edits',
    body: { images: files.map(({ url }) => ({ url, type: 'image_url' })) },
  })
})

const film = {
  prompt: 'a fox',
  n: 1,
  image: undefined,
  aspectRatio: '16:9' as const,
  resolution: '1280x720' as const,
  duration: 5,
  fps: undefined,
  seed: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
} satisfies Parameters<NonNullable<ReturnType<typeof sdk.video>['doStart']>>[0]

async function filmBy(providerOptions: object) {
  const model = sdk.video('grok-imagine-video')
  const { operation } = await model.doStart!({ ...film, providerOptions: { xai: { ...providerOptions } } })
  for (;;) {
    const report = await model.doStatus!({ operation, headers: {}, abortSignal: undefined } as never)
    if (report.status !== 'pending') return report
  }
}

test.each([
  ['/v1/videos/generations', {}],
  ['/v1/videos/edits', { mode: 'edit-video', videoUrl: 'https://films.example.com/a.mp4' }],
  ['/v1/videos/extensions', { mode: 'extend-video', videoUrl: 'https://films.example.com/a.mp4' }],
])('the AI SDK makes films with the fake of xAI by %s', async (path, options) => {
  expect(await filmBy(options)).toMatchObject({
    status: 'completed',
    videos: [{ type: 'url', url: 'https://vidgen.x.ai/xai-vidgen-bucket/xai-video-0c1d2e.mp4' }],
    providerMetadata: { xai: { costInUsdTicks: expect.any(Number) } },
  })
  expect(fake.ledger.at(-1)).toMatchObject({ path })
})

test("the AI SDK reads the fake's errors as those of xAI", async () => {
  const model = sdk.image('grok-imagine-image')
  await expect(model.doGenerate({ ...image, prompt: 'forbidden', n: 1, files: undefined })).rejects.toThrow(
    'Content violates usage guidelines',
  )
})
