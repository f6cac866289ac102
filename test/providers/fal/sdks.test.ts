import { createFal } from '@ai-sdk/fal'
import { createFalClient } from '@fal-ai/client'
import { expect, test } from 'vitest'
import { fakeFile } from '@genmount/testing'
import { falKey, type FalFake } from './fal-fake.ts'
import { contentRefusal } from './fal-fixtures.ts'
import { falFake } from './fal-world.ts'

// The vendor's own client and the AI SDK's before the same fake: what they take for fal is no fantasy.

const vendorClientAt = (fake: FalFake, requested: string[] = []) =>
  createFalClient({
    credentials: falKey,
    fetch: fake.fetch,
    retry: { maxRetries: 0 },
    requestMiddleware: async (request) => {
      requested.push(`${request.method} ${new URL(request.url).pathname}`)
      return request
    },
  })

test("fal's own client submits, follows and reads a request", async () => {
  const fake = await falFake()
  const requested: string[] = []
  const { queue } = vendorClientAt(fake, requested)
  const endpoint = 'fal-ai/flux/schnell'
  const webhookUrl = 'https://app.example/hook?a=b&c'
  const { request_id: requestId, ...submitted } = await queue.submit(endpoint, {
    input: { prompt: 'a fox' },
    webhookUrl,
  })
  expect(submitted).toMatchObject({ status: 'IN_QUEUE', queue_position: 0 })
  expect(fake.ledger).toMatchObject([
    { requestId, endpoint, input: { prompt: 'a fox' }, webhook: webhookUrl },
  ])
  expect(await queue.status(endpoint, { requestId })).toMatchObject({ status: 'IN_PROGRESS' })
  await queue.subscribeToStatus(endpoint, { requestId, pollInterval: 5 })
  expect(await queue.result(endpoint, { requestId })).toMatchObject({
    data: { images: [{ url: 'https://v3.fal.media/files/rabbit/picture-0.png' }] },
  })
  // By the URLs that the submit's answer names, too.
  expect(requested.at(-1)).toBe(`GET ${new URL(submitted.response_url).pathname}`)
})

test("fal's own client cancels a request, and reads a model's errors as such", async () => {
  const fake = await falFake()
  const client = vendorClientAt(fake)
  const endpoint = 'fal-ai/flux/schnell'
  fake.taskDefaults.pollsLeft = 9
  const { request_id: requestId } = await client.queue.submit(endpoint, { input: { prompt: 'a fox' } })
  await client.queue.cancel(endpoint, { requestId })
  expect(await client.queue.status(endpoint, { requestId })).toMatchObject({ error_type: 'client_cancelled' })
  fake.taskDefaults = { pollsLeft: 0, outcome: contentRefusal }
  const refused = client.subscribe(endpoint, { input: { prompt: 'a fox' }, pollInterval: 5 })
  await expect(refused).rejects.toMatchObject({
    name: 'ValidationError',
    status: 422,
    fieldErrors: [{ type: 'content_policy_violation' }],
  })
})

test("fal's own client is turned away with a wrong key", async () => {
  const fake = await falFake({ key: 'another:key' })
  await expect(
    vendorClientAt(fake).queue.submit('fal-ai/flux/dev', { input: { prompt: 'a' } }),
  ).rejects.toMatchObject({
    status: 401,
  })
  expect(fake.ledger).toHaveLength(0)
})

test("the AI SDK's video model starts and finishes on the queue of the fake of fal", async () => {
  const fake = await falFake()
  const model = createFal({ apiKey: falKey, fetch: fake.fetch }).video('kling-video/v2.5/turbo/text-to-video')
  const options = {
    prompt: 'a fox runs',
    n: 1,
    aspectRatio: '16:9',
    resolution: undefined,
    duration: 5,
    fps: undefined,
    seed: 7,
    image: undefined,
    providerOptions: {},
  } as unknown as Parameters<NonNullable<typeof model.doStart>>[0]
  const { operation } = await model.doStart!(options)
  const follow = () => model.doStatus!({ operation } as Parameters<NonNullable<typeof model.doStatus>>[0])
  expect(await follow()).toMatchObject({ status: 'pending' })
  fake.ledger[0]!.pollsLeft = 0
  expect(await follow()).toMatchObject({
    status: 'completed',
    videos: [{ type: 'url', url: 'https://v3.fal.media/files/rabbit/film.mp4', mediaType: 'video/mp4' }],
  })
  expect(fake.ledger[0]?.input).toMatchObject({ prompt: 'a fox runs', aspect_ratio: '16:9', seed: 7 })
})

test("the AI SDK's image model gets its pictures from the fake of fal", async () => {
  const fake = await falFake()
  const model = createFal({ apiKey: falKey, fetch: fake.fetch }).image('fal-ai/flux/schnell')
  const { images } = await model.doGenerate({
    prompt: 'a fox',
    n: 1,
    size: undefined,
    aspectRatio: '16:9',
    seed: undefined,
    files: undefined,
    mask: undefined,
    providerOptions: {},
  })
  expect(Buffer.compare(images[0] as Uint8Array, fakeFile('image').bytes)).toBe(0)
  expect(fake.ledger[0]?.input).toMatchObject({
    prompt: 'a fox',
    image_size: 'landscape_16_9',
    num_images: 1,
  })
})
