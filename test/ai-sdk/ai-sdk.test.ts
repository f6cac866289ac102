import { uploads } from '@genmount/core/uploads'
import {
  experimental_generateVideo,
  experimental_getVideoStatus,
  experimental_startVideo,
  generateImage,
} from 'ai'
import { createGenmount } from '@genmount/ai-sdk'
import { GenmountError } from '@genmount/client'
import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import { startServer } from './start-server.ts'

const picture = fakeFile('image').bytes
const poll = { intervalMs: 20 }

test('generateImage returns the bytes of the picture and metadata about its job', async () => {
  const { options } = await startServer()
  const { image, providerMetadata } = await generateImage({
    model: createGenmount(options).image('picture'),
    prompt: 'a kite',
  })
  expect([image.mediaType, image.uint8Array]).toEqual(['image/png', new Uint8Array(picture)])
  expect(providerMetadata['genmount']).toMatchObject({ images: [{ mediaType: 'image/png' }] })
})

test('generateImage names the job of each picture, and its share of what the job has cost, also when n makes several jobs', async () => {
  const { options, service } = await startServer()
  const result = await generateImage({
    model: createGenmount(options).image('picture'),
    prompt: 'a kite',
    n: 3,
  })
  const { jobs } = await service.list({ owner: 'alice' })
  const ids = new Set(jobs.map(({ id }) => id))
  const shares = result.providerMetadata['genmount']?.images as {
    readonly jobId: string
    readonly costUsd: number
  }[]
  expect(shares.map(({ costUsd }) => costUsd)).toEqual([0.125, 0.125, 0.25])
  expect(new Set(shares.map(({ jobId }) => jobId))).toEqual(ids)
  expect(result.images.map(({ providerMetadata }) => providerMetadata?.['genmount'])).toEqual(shares)
  expect(result.calls.map(({ providerMetadata }) => providerMetadata?.['genmount'])).toMatchObject([
    { jobId: shares[0]?.jobId, costUsd: 0.25 },
    { jobId: shares[2]?.jobId, costUsd: 0.25 },
  ])
})

/** Breaks this many answers with outputs off, after their first bytes. */
const breaking =
  (times: number): typeof globalThis.fetch =>
  async (input, init) => {
    if (!String(input).includes('/v1/files/') || times-- <= 0) return fetch(input, init)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(8)),
      pull: (controller) => controller.error(new TypeError('terminated')),
    })
    return new Response(body, { headers: { 'content-type': 'image/png' } })
  }

test('generateImage downloads a picture again, and creates no second job, when the download breaks off', async () => {
  const { options, made } = await startServer()
  const model = createGenmount({ ...options, fetch: breaking(2) }).image('picture')
  const { image } = await generateImage({ model, prompt: 'a kite' })
  expect([image.uint8Array, made.length]).toEqual([new Uint8Array(picture), 1])
})

test('generateImage throws an error that names the job when its picture can not be downloaded', async () => {
  const { options, made, service } = await startServer()
  const model = createGenmount({ ...options, fetch: breaking(100) }).image('picture')
  const error = await generateImage({ model, prompt: 'a kite' }).catch((fault: GenmountError) => fault)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(error).toMatchObject({ name: 'GenmountError', code: 'network_error', job: { id: jobs[0]?.id } })
  expect(made).toHaveLength(1)
})

test('generateImage sends each setting as the field that the model has for it', async () => {
  const { options, made } = await startServer()
  const genmount = createGenmount(options)
  const settings = { prompt: 'a kite', size: '1024x1024', n: 3, seed: 7 } as const
  const { images, warnings } = await generateImage({ model: genmount.image('picture'), ...settings })
  expect(images).toHaveLength(3)
  expect(warnings).toEqual([])
  expect(made).toEqual([
    { prompt: 'a kite', size: '1024x1024', seed: 7, num_outputs: 2 },
    { prompt: 'a kite', size: '1024x1024', seed: 7, num_outputs: 1 },
  ])
  await generateImage({ model: genmount.image('sides'), prompt: 'a kite', size: '640x480' })
  expect(made.at(-1)).toEqual({ prompt: 'a kite', width: 640, height: 480 })
})

test('generateImage and generateVideo with n: 3 and one idempotency key make three jobs of a model that makes one output at a time, and the same three again', async () => {
  const { options, made, service } = await startServer()
  const genmount = createGenmount(options)
  const settings = (key: string) => ({ prompt: 'a kite', n: 3, headers: { 'Idempotency-Key': key } })
  const image = () => generateImage({ model: genmount.image('sides'), ...settings('image') })
  const film = () => experimental_generateVideo({ model: genmount.video('film'), ...settings('film'), poll })
  expect((await image()).images).toHaveLength(3)
  expect((await Promise.all([image(), image()])).map(({ images }) => images.length)).toEqual([3, 3])
  expect(made).toHaveLength(3)
  expect((await film()).videos).toHaveLength(3)
  expect((await film()).videos).toHaveLength(3)
  expect(made).toHaveLength(6)
  expect((await service.list({ owner: 'alice' })).jobs).toHaveLength(6)
})

test('generateImage omits a setting for which the model has no field, with a warning', async () => {
  const { options, made } = await startServer()
  const { warnings } = await generateImage({
    model: createGenmount(options).image('sides'),
    prompt: 'a kite',
    seed: 7,
    aspectRatio: '16:9',
  })
  expect(warnings).toMatchObject([
    { type: 'unsupported', feature: 'aspectRatio' },
    { type: 'unsupported', feature: 'seed' },
  ])
  expect(made).toEqual([{ prompt: 'a kite' }])
})

test('generateImage omits a value that the model does not accept, with a warning that names the accepted values', async () => {
  const { options, made } = await startServer()
  const { warnings } = await generateImage({
    model: createGenmount(options).image('picture'),
    prompt: 'a kite',
    size: '640x480',
  })
  expect(warnings).toEqual([
    { type: 'unsupported', feature: 'size', details: "The model's size must be one of 1024x1024, 512x512." },
  ])
  expect(made).toEqual([{ prompt: 'a kite', num_outputs: 1 }])
})

test('generateImage refuses a video model and generateVideo an image model before a job is created', async () => {
  const { options, made } = await startServer()
  const genmount = createGenmount(options)
  const prompt = 'a kite'
  await expect(generateImage({ model: genmount.image('film'), prompt })).rejects.toMatchObject({
    code: 'wrong_output_kind',
    message: "film makes video outputs: use genmount.video('film').",
  })
  await expect(
    experimental_generateVideo({ model: genmount.video('picture'), prompt, poll }),
  ).rejects.toMatchObject({
    code: 'wrong_output_kind',
    message: "picture makes image outputs: use genmount.image('picture').",
  })
  expect(made).toEqual([])
})

test.each([[[uploads()]], [[]]])(
  'generateImage sends pictures and a mask to the provider on a server with the plugins %o',
  async (plugins) => {
    const { options, made } = await startServer({ plugins })
    const { warnings } = await generateImage({
      model: createGenmount(options).image('picture'),
      prompt: { text: 'a kite', images: [picture], mask: picture },
    })
    expect(warnings).toEqual([])
    const given = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
    expect(made).toEqual([{ prompt: 'a kite', image: given, mask: given, num_outputs: 1 }])
  },
)

test('generateImage sends the entries of providerOptions.genmount as fields', async () => {
  const { options, made } = await startServer()
  await generateImage({
    model: createGenmount(options).image('picture'),
    prompt: 'a kite',
    providerOptions: { genmount: { seed: 9, metadata: { from: 'a test' } } },
  })
  expect(made).toEqual([{ prompt: 'a kite', seed: 9, num_outputs: 1 }])
})

test('generateImage throws the code and message of a job that fails, and creates no second job', async () => {
  const { options, made } = await startServer()
  const failing = generateImage({ model: createGenmount(options).image('picture'), prompt: 'refuse' })
  const error = await failing.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(GenmountError)
  expect(error).toMatchObject({ code: 'content_policy', message: 'not this' })
  expect(made).toHaveLength(1)
})

test('generateVideo sends pictures and settings as fields, and returns the bytes of the film', async () => {
  const { options, made } = await startServer()
  const { video, warnings, providerMetadata } = await experimental_generateVideo({
    model: createGenmount(options).video('film'),
    prompt: { text: 'a kite', image: picture },
    frameImages: [{ image: picture, frameType: 'last_frame' }],
    resolution: '1280x720',
    duration: 5,
    fps: 24,
    generateAudio: true,
    poll,
  })
  expect([video.mediaType, video.uint8Array]).toEqual(['video/mp4', new Uint8Array(fakeFile('video').bytes)])
  expect(providerMetadata['genmount']).toMatchObject({ jobId: expect.stringMatching(/^gen_/), costUsd: 0.25 })
  expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'fps' }])
  const given = expect.stringMatching(/^data:image\/png;base64,/)
  const frames = { image: given, last_frame: given }
  expect(made).toEqual([{ prompt: 'a kite', resolution: '720p', duration: 5, sound: true, ...frames }])
})

test('getVideoStatus returns a film that another process has started, by the id of its job', async () => {
  const { options, service } = await startServer()
  const { operation } = await experimental_startVideo({
    model: createGenmount(options).video('film'),
    prompt: 'a kite',
  })
  await service.waitFor(operation as string, 'alice')
  const status = await experimental_getVideoStatus(createGenmount(options).video('film'), { operation })
  expect(status).toMatchObject({
    status: 'completed',
    videos: [{ type: 'binary', mediaType: 'video/mp4' }],
    providerMetadata: { genmount: { jobId: operation, costUsd: 0.25 } },
  })
})

test('generateVideo throws the code and message of a job that fails', async () => {
  const { options } = await startServer()
  const failing = experimental_generateVideo({
    model: createGenmount(options).video('film'),
    prompt: 'refuse',
    poll,
  })
  await expect(failing).rejects.toThrow('content_policy: not this')
})

test('generateImage throws the error of the service for an unknown model and a wrong API key', async () => {
  const { options } = await startServer()
  const ask = (given: typeof options, id: string) =>
    generateImage({ model: createGenmount(given).image(id), prompt: 'a kite' })
  await expect(ask(options, 'flux')).rejects.toMatchObject({ code: 'model_not_found' })
  await expect(ask({ ...options, apiKey: 'wrong' }, 'picture')).rejects.toMatchObject({ status: 401 })
})

test('createGenmount refuses to make a language model', () => {
  const genmount = createGenmount({ baseUrl: 'http://127.0.0.1:1' })
  expect(() => genmount.languageModel('gpt')).toThrow('A genmount server has image and video models.')
})
