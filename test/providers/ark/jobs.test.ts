import { type ArkModel, arkProvider } from '@genmount/provider-ark'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import { type ArkFake, arkFake, token } from './ark-fake.ts'

let fake: ArkFake
let runs: ServiceWorld

const picture = 'https://pictures.example.com/fox.png'
const other = 'https://pictures.example.com/snow.png'
const film = 'https://films.example.com/fox.mp4'
const sound = 'https://sounds.example.com/voice.mp3'

function start(model: ArkModel): void {
  runs = jobRuns(arkProvider({ token, baseUrl: fake.baseUrl, models: { it: model } }))
}

async function finished(input: object) {
  return runs.finished(await runs.create('it', { prompt: 'a fox', ...input }))
}

beforeEach(async () => {
  fake = await arkFake()
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

const images: ArkModel = { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 }
const films: ArkModel = { model: 'seedance-1-5-pro-251215', outputKind: 'video', price: 2.4 }
const seedance2: ArkModel = { ...films, model: 'dreamina-seedance-2-0-260128' }

test('a ModelArk image job is one call, stores bytes, and costs its price', async () => {
  start(images)
  const job = await finished({})
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.04 })
  expect(await runs.outputs(job)).toEqual([fakeFile('image').bytes])
  expect(fake.ledger).toMatchObject([{ path: '/api/v3/images/generations' }])
  expect(fake.ledger[0]?.body).toEqual({
    model: 'seedream-4-5-251128',
    prompt: 'a fox',
    response_format: 'b64_json',
  })
})

test.each([
  [{ resolution: '4K' }, '4K'],
  [{ resolution: '2048x2048' }, '2048x2048'],
  [{ aspect_ratio: '1:1' }, '2048x2048'],
  [{ aspect_ratio: '16:9' }, '2720x1536'],
  [{ aspect_ratio: '9:16', resolution: '2K' }, '1536x2720'],
  [{ aspect_ratio: '4:3', resolution: '4K' }, '4720x3536'],
  [{ aspect_ratio: '2.39:1', resolution: '3k' }, '4736x1984'],
])('a ModelArk job with %j asks for the size %s', async (input, size) => {
  start(images)
  expect(await finished(input)).toMatchObject({ phase: 'completed' })
  expect(fake.ledger[0]?.body).toMatchObject({ size })
  expect(fake.ledger[0]?.body).not.toHaveProperty('aspect_ratio')
  expect(fake.ledger[0]?.body).not.toHaveProperty('resolution')
})

const seedance25: ArkModel = { ...films, model: 'dreamina-seedance-2-5-260628' }

test.each([
  ['2.0', seedance2, -1],
  ['2.0', seedance2, 15],
  ['2.5', seedance25, -1],
  ['2.5', seedance25, 30],
])(
  'a film of Seedance %s, as %j, may have a duration of %i: with -1 the model decides',
  async (_name, model, duration) => {
    start(model)
    expect(await finished({ duration })).toMatchObject({ phase: 'completed' })
    expect(fake.ledger[0]?.body).toMatchObject({ duration })
  },
)

test.each([
  [films, -1],
  [seedance2, 0],
  [seedance2, 16],
  [seedance25, 31],
])('a film of %j with a duration of %i is refused before ModelArk gets it', async (model, duration) => {
  start(model)
  await expect(runs.create('it', { prompt: 'a fox', duration })).rejects.toThrow(/duration must be/)
  expect(fake.requests).toHaveLength(0)
})

test.each([{ aspect_ratio: 'auto' }, { aspect_ratio: '1:1', resolution: '2048x1024' }])(
  'a ModelArk job with %j fails, because it gives no size, and costs nothing',
  async (input) => {
    start(images)
    expect(await finished(input)).toMatchObject({
      phase: 'failed',
      error: {
        code: 'provider_rejected',
        message: expect.stringContaining('aspect_ratio must be width:height'),
      },
    })
    expect(fake.requests).toHaveLength(0)
  },
)

test.each([
  ['one picture', picture, picture],
  ['a list of one', [picture], picture],
  ['several pictures', [picture, other], [picture, other]],
])('a ModelArk job sends the URLs of %s to edit unchanged', async (_what, image, sent) => {
  start(images)
  expect(await finished({ image })).toMatchObject({ phase: 'completed' })
  expect(fake.ledger[0]?.body).toMatchObject({ image: sent })
})

test('num_outputs asks ModelArk for a series of images if the operator maps it, and costs what was made', async () => {
  const num_outputs = (most: number) => ({
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: most },
  })
  start({ ...images, fields: { num_outputs } })
  const job = await finished({ num_outputs: 3 })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.12 })
  expect(job.outputs).toHaveLength(3)
})

test('a ModelArk film costs its tokens, and the fields of its job become parameters and content of the request', async () => {
  start(films)
  const job = await finished({
    image: picture,
    last_frame: other,
    aspect_ratio: '9:16',
    resolution: '1080p',
    duration: 5,
    seed: 7,
    sound: false,
  })
  const url = expect.stringMatching(/^https:.*film\.mp4/)
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.26136, outputs: [{ url }] })
  expect(fake.ledger).toMatchObject([{ path: '/api/v3/contents/generations/tasks' }])
  expect(fake.ledger[0]?.body).toEqual({
    model: 'seedance-1-5-pro-251215',
    content: [
      { type: 'text', text: 'a fox' },
      { type: 'image_url', image_url: { url: picture }, role: 'first_frame' },
      { type: 'image_url', image_url: { url: other }, role: 'last_frame' },
    ],
    ratio: '9:16',
    resolution: '1080p',
    duration: 5,
    seed: 7,
    generate_audio: false,
  })
})

test('Seedance 2 accepts reference_images, reference_videos and audio', async () => {
  start(seedance2)
  await finished({ reference_images: [picture, other], reference_videos: [film], audio: sound })
  expect(fake.ledger[0]?.body['content']).toEqual([
    { type: 'text', text: 'a fox' },
    { type: 'image_url', image_url: { url: picture }, role: 'reference_image' },
    { type: 'image_url', image_url: { url: other }, role: 'reference_image' },
    { type: 'video_url', video_url: { url: film }, role: 'reference_video' },
    { type: 'audio_url', audio_url: { url: sound }, role: 'reference_audio' },
  ])
})

test('a ModelArk film job needs no prompt if it has a picture', async () => {
  start(films)
  expect(await runs.finished(await runs.create('it', { image: picture }))).toMatchObject({
    phase: 'completed',
  })
})

const lite: ArkModel = { ...films, model: 'seedance-1-0-lite-t2v-250428' }
test.each<[ArkModel, object]>([
  [images, { seed: 1 }],
  [images, { num_outputs: 2 }],
  [images, { mask: picture, image: picture }],
  [images, { negative_prompt: 'dogs' }],
  [films, { fps: 24 }],
  [films, { negative_prompt: 'dogs' }],
  [films, { reference_images: [picture] }],
  [films, { video: film }],
  [{ ...films, model: 'seedance-1-0-pro-250528' }, { sound: true }],
  [{ ...films, model: 'seedance-1-0-pro-fast-251015' }, { last_frame: picture }],
  [lite, { image: picture }],
  [{ ...films, model: 'ep-20261122-abcde' }, { last_frame: picture }],
  [{ ...films, providerOptions: { resolution: '480p' } }, { resolution: '1080p' }],
  [{ ...films, providerOptions: { ratio: '16:9' } }, { aspect_ratio: '1:1' }],
  [{ ...images, providerOptions: { size: '2K' } }, { aspect_ratio: '1:1' }],
  [{ ...images, providerOptions: { size: '2K' } }, { resolution: '4K' }],
])(
  'a ModelArk job is refused by field name if the model lacks the field or the operator has fixed it: %j %j',
  async (model, input) => {
    start(model)
    await expect(finished(input)).rejects.toThrow(`${Object.keys(input)[0]} is unknown; this model accepts`)
    expect(fake.requests).toHaveLength(0)
  },
)

test('providerOptions of a ModelArk model are sent with every request and win over provider_options', async () => {
  start({
    ...films,
    allowedProviderOptions: ['watermark', 'camera_fixed'],
    providerOptions: { watermark: false, return_last_frame: true },
  })
  const job = await finished({ provider_options: { watermark: true, camera_fixed: true } })
  expect(fake.ledger[0]?.body).toMatchObject({
    watermark: false,
    camera_fixed: true,
    return_last_frame: true,
  })
  expect(job.outputs.map(({ url }) => url?.replace(/^.*volces\.com|\?.*$/g, ''))).toEqual([
    '/film.mp4',
    '/last.png',
  ])
})

test.each(['--duration 12', 'a fox --rs 1080p', 'a fox\n--wm false', '--seed 1 a fox', 'a fox --dur'])(
  'a ModelArk job whose prompt contains parameters is refused: %s',
  async (prompt) => {
    start(films)
    expect(await finished({ prompt })).toMatchObject({
      phase: 'failed',
      error: { code: 'provider_rejected' },
    })
    expect(fake.requests).toHaveLength(0)
  },
)

test('a ModelArk job whose prompt contains dashes but no parameters completes', async () => {
  start(films)
  const prompt = 'a fox -- in snow --- with a follow-up, --happy'
  expect(await finished({ prompt })).toMatchObject({ phase: 'completed' })
})

test.each<[ArkModel, string]>([
  [{ ...films, providerOptions: { content: [] } }, "can't fix content"],
  [{ ...images, providerOptions: { response_format: 'url' } }, "can't fix response_format"],
  [{ ...images, providerOptions: [] as never }, 'providerOptions must be an object'],
  [{ ...images, allowedProviderOptions: ['stream'] }, "can't allow stream"],
  [{ ...images, allowedProviderOptions: ['size'] }, "can't allow size"],
  [{ ...films, allowedProviderOptions: ['callback_url'] }, "can't allow callback_url"],
])('arkProvider throws if an option fixes or allows what each job decides itself: %j', (model, message) => {
  start(images)
  expect(() => arkProvider({ token, models: { it: model } })).toThrow(message)
})

test('the models of arkProvider show the price of an image or of a million tokens', () => {
  start(images)
  const models = { images, films, bare: { outputKind: 'video' } } as const
  const made = arkProvider({ token, models }).models
  expect(made.map(({ price }) => price?.text)).toEqual([
    '0.04 USD per image',
    '2.4 USD per million tokens',
    undefined,
  ])
  expect(made.map(({ isCostKnown }) => isCostKnown)).toEqual([true, true, false])
})
