import { type XaiModel, xaiProvider } from '@genmount/provider-xai'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import { token, type XaiFake, xaiFake } from './xai-fake.ts'

let fake: XaiFake
let runs: ServiceWorld

const picture = 'https://pictures.example.com/fox.png'
const other = 'https://pictures.example.com/snow.png'
const film = 'https://films.example.com/fox.mp4'

function start(model: XaiModel): void {
  runs = jobRuns(xaiProvider({ token, baseUrl: fake.baseUrl, models: { it: model } }))
}

async function finished(input: object) {
  return runs.finished(await runs.create('it', { prompt: 'a fox', ...input }))
}

beforeEach(async () => {
  fake = await xaiFake()
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

const images: XaiModel = { model: 'grok-imagine-image', outputKind: 'image' }
const films: XaiModel = { model: 'grok-imagine-video-1.5', outputKind: 'video' }

test('an xAI job makes num_outputs images and costs what xAI says', async () => {
  start(images)
  const job = await finished({ num_outputs: 3, aspect_ratio: '19.5:9', resolution: '2k' })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.06 })
  expect(await runs.outputs(job)).toEqual([0, 1, 2].map((index) => fakeFile('image', index).bytes))
  expect(fake.ledger[0]).toMatchObject({
    path: '/v1/images/generations',
    body: {
      model: 'grok-imagine-image',
      prompt: 'a fox',
      n: 3,
      aspect_ratio: '19.5:9',
      resolution: '2k',
      response_format: 'b64_json',
    },
  })
})

test.each([
  ['one picture', picture, { image: { url: picture, type: 'image_url' } }],
  ['a list of one', [picture], { image: { url: picture, type: 'image_url' } }],
  [
    'several pictures',
    [picture, other],
    {
      images: [
        { url: picture, type: 'image_url' },
        { url: other, type: 'image_url' },
      ],
    },
  ],
])(
  'an xAI job with %s is an edit, and the URLs of pictures are sent unchanged',
  async (_what, image, sent) => {
    start(images)
    expect(await finished({ image })).toMatchObject({ phase: 'completed' })
    expect(fake.ledger[0]).toMatchObject({ path: '/v1/images/edits' })
    expect(fake.ledger[0]?.body).toEqual({
      model: 'grok-imagine-image',
      prompt: 'a fox',
      response_format: 'b64_json',
      ...sent,
    })
  },
)

test.each([
  ['grok-imagine-image', 3],
  ['grok-imagine-image-2.0', 5],
])('%s edits up to %i pictures together, and a job with one more is refused', async (model, most) => {
  start({ model, outputKind: 'image' })
  const pictures = Array.from({ length: most }, (_, index) => `https://pictures.example.com/${index}.png`)
  expect(await finished({ image: pictures })).toMatchObject({ phase: 'completed' })
  expect(fake.ledger[0]?.body['images']).toHaveLength(most)
  await expect(finished({ image: [...pictures, picture] })).rejects.toThrow(/^image/)
  expect(fake.ledger).toHaveLength(1)
})

test('the fields of a film job become those of xAI, and the job costs what xAI says', async () => {
  start({ ...films, allowedProviderOptions: ['keyframes'] })
  const keyframes = [{ image: { url: other }, timestamp_s: 3 }]
  const job = await finished({
    image: picture,
    last_frame: other,
    aspect_ratio: '9:16',
    resolution: '1080p',
    duration: 5,
    sound: false,
    provider_options: { keyframes },
  })
  const url = 'https://vidgen.x.ai/xai-vidgen-bucket/xai-video-0c1d2e.mp4'
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.25, outputs: [{ url }] })
  expect(fake.ledger).toMatchObject([{ path: '/v1/videos/generations' }])
  expect(fake.ledger[0]?.body).toEqual({
    model: 'grok-imagine-video-1.5',
    prompt: 'a fox',
    image: { url: picture },
    last_frame: { url: other },
    aspect_ratio: '9:16',
    resolution: '1080p',
    duration: 5,
    generate_audio: false,
    keyframes,
  })
})

test('reference_images go to xAI as a list, and audio to the parameter that the operator names', async () => {
  start({ ...films, fields: { audio: 'reference_audios[3]' } })
  const audio = 'https://sounds.example.com/voice.mp3'
  await finished({ reference_images: [picture, other], audio })
  expect(fake.ledger[0]?.body).toMatchObject({
    reference_images: [{ url: picture }, { url: other }],
    reference_audios: [{ url: audio }],
  })
})

test('an xAI film job needs no prompt if it has a picture', async () => {
  start(films)
  expect(await runs.finished(await runs.create('it', { image: picture }))).toMatchObject({
    phase: 'completed',
  })
})

test.each([
  ['edit', '/v1/videos/edits', {}],
  ['extend', '/v1/videos/extensions', { duration: 4 }],
] as const)('an xAI model whose task is to %s sends the film to %s', async (task, path, more) => {
  start({ ...films, model: 'grok-imagine-video', task })
  expect(await finished({ video: film, ...more })).toMatchObject({ phase: 'completed' })
  expect(fake.ledger).toMatchObject([{ path }])
  expect(fake.ledger[0]?.body).toEqual({
    model: 'grok-imagine-video',
    prompt: 'a fox',
    video: { url: film },
    ...more,
  })
})

test.each<[XaiModel, object]>([
  [images, { seed: 1 }],
  [images, { mask: picture, image: picture }],
  [images, { negative_prompt: 'dogs' }],
  [films, { seed: 1 }],
  [films, { fps: 24 }],
  [films, { video: film }],
  [{ ...films, model: 'grok-imagine-video' }, { last_frame: picture }],
  [
    { ...films, task: 'edit' },
    { duration: 5, video: film },
  ],
  [
    { ...films, task: 'edit' },
    { resolution: '720p', video: film },
  ],
  [
    { ...films, task: 'extend' },
    { aspect_ratio: '1:1', video: film },
  ],
  [
    { ...films, task: 'extend' },
    { image: picture, video: film },
  ],
])(
  'an xAI job with a field that xAI would ignore or refuse is refused by field name: %j %j',
  async (model, input) => {
    start(model)
    await expect(finished(input)).rejects.toThrow(`${Object.keys(input)[0]} is unknown; this model accepts`)
    expect(fake.requests).toHaveLength(0)
  },
)

test('a field of the operator goes to xAI under its own name', async () => {
  const quality = {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: value ?? 'low' }) },
  } as const
  start({ model: 'grok-imagine-image-2.0', outputKind: 'image', inputs: { quality } })
  await finished({})
  expect(fake.ledger[0]?.body).toMatchObject({ quality: 'low' })
})

test.each(['response_format', 'images', 'n', 'model'])(
  'xaiProvider throws if allowedProviderOptions has %s',
  (name) => {
    start(images)
    const model = { ...images, allowedProviderOptions: [name] }
    expect(() => xaiProvider({ token, models: { it: model } })).toThrow(`can't allow ${name}`)
  },
)

test('the price of an xAI model is shown to clients and counts when xAI reports no cost', async () => {
  start({ ...films, price: 0.14 })
  const trouble = { instead: { json: { video: { url: 'https://vidgen.x.ai/a.mp4', duration: 5 } } } } as const
  fake.trouble('/videos/aa87', trouble)
  expect(await finished({})).toMatchObject({ phase: 'completed', costUsd: 0.7 })
  const models = { film: { ...films, price: 0.14 }, picture: { ...images, price: 0.02 }, free: films }
  expect(xaiProvider({ token, models }).models.map(({ price }) => price?.text)).toEqual([
    '0.14 USD per second',
    '0.02 USD per image',
    undefined,
  ])
})

test('xaiProvider throws if a model for images has a task', () => {
  start(images)
  expect(() => xaiProvider({ token, models: { it: { ...images, task: 'edit' } } })).toThrow(
    "xaiProvider: models['it'].task is for models with outputKind 'video' only.",
  )
})

test('the xai provider has no cancel, because xAI cannot cancel', () => {
  start(images)
  expect(xaiProvider({ token, models: { it: images } })).not.toHaveProperty('cancel')
})
