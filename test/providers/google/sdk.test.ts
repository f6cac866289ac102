import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { fakeFile } from '@genmount/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { googleError, type GoogleFake, googleFake, token } from './google-fake.ts'

let fake: GoogleFake
let google: ReturnType<typeof createGoogleGenerativeAI>
beforeAll(async () => {
  fake = await googleFake({ polls: 0 })
  google = createGoogleGenerativeAI({ apiKey: token, baseURL: fake.baseUrl })
})
afterAll(() => fake.close())

const png = fakeFile('image').bytes

const video = {
  n: 1,
  aspectRatio: '16:9' as const,
  resolution: '1280x720' as const,
  duration: 8,
  fps: undefined,
  seed: 7,
  image: { type: 'file' as const, mediaType: 'image/png', data: png },
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
}

test('the AI SDK makes a video with the fake of Google, through an operation and a download', async () => {
  const model = google.video('veo-3.1-generate-preview')
  const { operation } = await model.doStart!({ ...video, prompt: 'a fox runs' })
  expect(await model.doStatus!({ operation })).toMatchObject({ status: 'pending' })
  await model.doStatus!({ operation })
  const done = await model.doStatus!({ operation })
  if (done.status !== 'completed') throw new Error(done.status)
  const [made] = done.videos
  if (made?.type !== 'url') throw new Error('The AI SDK gives a link.')
  const bytes = new Uint8Array(await (await fetch(made.url)).arrayBuffer())
  expect(bytes).toEqual(fakeFile('video').bytes)
})

test('the AI SDK makes and edits images with the fake of Google', async () => {
  const model = google.image('gemini-nano-banana-2.1')
  const call = {
    n: 1,
    size: undefined,
    aspectRatio: '16:9' as const,
    seed: 7,
    providerOptions: {},
    mask: undefined,
  }
  const made = await model.doGenerate({ ...call, prompt: 'a fox', files: undefined })
  expect(made.images.at(-1)).toBe(Buffer.from(png).toString('base64'))
  expect(made.usage).toMatchObject({ inputTokens: 8 })
  const files = [{ type: 'file' as const, mediaType: 'image/png', data: png }]
  const edited = await model.doGenerate({ ...call, prompt: 'make it snow', files })
  expect(edited.usage).toMatchObject({ inputTokens: 266 })
})

test("the AI SDK reads the fake's errors as Google's", async () => {
  const model = google.video('veo-3.1-generate-preview')
  await expect(model.doStart!({ ...video, prompt: 'sensitive' })).rejects.toMatchObject({
    statusCode: 400,
    message: expect.stringContaining('Responsible AI'),
  })
  fake.trouble(':predict', { instead: googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.') })
  await expect(model.doStart!({ ...video, prompt: 'a fox' })).rejects.toMatchObject({
    statusCode: 429,
    isRetryable: true,
  })
})

test('the AI SDK makes a film with the fake of Google, through an interaction in the background', async () => {
  const model = google.interactions('gemini-omni-1.2-flash')
  const video = { type: 'video' as const, resolution: '360p' as const, duration: '3s' }
  const { content, usage } = await model.doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'an inline fox' }] }],
    providerOptions: { google: { background: true, responseFormat: [video] } },
  })
  const data = Buffer.from(fakeFile('video').bytes).toString('base64')
  expect(content).toContainEqual(expect.objectContaining({ type: 'file', mediaType: 'video/mp4' }))
  expect(JSON.stringify(content)).toContain(data)
  expect(usage).toMatchObject({ outputTokens: { total: 17_873 + 235 } })
})
