import type { JsonObject, Provider, RunningTask } from '@genmount/core'
import { comfyRouterProvider, type ComfyRouterOptions } from '@genmount/provider-comfyui/router'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainInput, samplesOf } from '../catalogue/samples.ts'
import { type ComfyRouterFake, comfyRouterFake, error, token } from './comfy-router-fake.ts'

let fake: ComfyRouterFake
beforeEach(async () => {
  fake = await comfyRouterFake({ polls: 0 })
})
afterEach(() => fake.close())

const call = { signal: new AbortController().signal }
const fox = 'https://pictures.example.com/fox.png'
const png = Buffer.from(fakeFile('image').bytes).toString('base64')
const dataUri = `data:image/png;base64,${png}`
const { flux3Image, flux2Pro, kling3Turbo, kling3, seedance25, gptImage25Flare, nanoBanana21, veo31Fast } =
  comfyRouterModels

const connect = (models: ComfyRouterOptions['models'], options: Partial<ComfyRouterOptions> = {}) =>
  comfyRouterProvider({
    token,
    baseUrl: fake.origin,
    models,
    fetchFile: async () => ({ body: new Blob([fakeFile('image').bytes as BlobPart]).stream() }),
    ...options,
  })

let tokens = 0
const taskOf = (provider: Provider, input: JsonObject, clientToken = `token-${tokens++}`) => ({
  jobId: 'job',
  model: provider.models[0]!.id,
  input,
  clientToken,
})
const submit = (provider: Provider, input: JsonObject, clientToken?: string) =>
  provider.submit(taskOf(provider, input, clientToken), call)

async function running(provider: Provider, input: JsonObject = { prompt: 'a fox' }): Promise<RunningTask> {
  const task = taskOf(provider, input)
  const report = await provider.submit(task, call)
  if (report.state !== 'running') throw new Error(JSON.stringify(report))
  return { ...task, handle: report.handle }
}
const endOf = async (provider: Provider, input?: JsonObject) =>
  provider.poll(await running(provider, input), call)

test.each(Object.entries(comfyRouterModels))(
  'the entry %s sends a body that the published schema takes, for each field at its least and greatest value, and its output arrives',
  async (_key, entry) => {
    const provider = connect([entry])
    const [model] = provider.models
    const plain = plainInput(model!)
    // A size that the model leaves open is a word.
    const samples = samplesOf(model!, entry.schema as never).filter(({ resolution }) => resolution !== '')
    const inputs = [plain, ...samples.map((sample) => ({ ...plain, ...sample }))]
    expect(inputs.length).toBeGreaterThan(4)
    for (const input of inputs) {
      const read = await model!.input['~standard'].validate(input)
      expect(read.issues).toBeUndefined()
      const report = await submit(provider, ('value' in read ? read.value : {}) as JsonObject)
      expect(report, JSON.stringify(input).slice(0, 300)).toMatchObject({ state: 'running' })
    }
    expect(await endOf(provider, plain)).toMatchObject({ state: 'succeeded', outputs: [{}] })
  },
)

test.each<[string, ComfyRouterOptions['models'], JsonObject, object]>([
  [
    'an object inside the body',
    [kling3Turbo],
    { prompt: 'a fox', duration: 5, resolution: '1080p' },
    { prompt: 'a fox', settings: { duration: 5, resolution: '1080p' } },
  ],
  [
    'words for numbers and switches',
    [kling3],
    { prompt: 'a fox', duration: 5, sound: true, guidance: 0.5 },
    { prompt: 'a fox', duration: '5', sound: 'on', cfg_scale: 0.5 },
  ],
  [
    'a list of parts with roles',
    [seedance25],
    { prompt: 'a fox', image: fox, last_frame: dataUri, duration: 5 },
    {
      content: [
        { type: 'text', text: 'a fox' },
        { type: 'image_url', image_url: { url: fox }, role: 'first_frame' },
        { type: 'image_url', image_url: { url: dataUri }, role: 'last_frame' },
      ],
      duration: 5,
    },
  ],
  [
    'numbered pictures in base64, and a size in pixels',
    [flux2Pro],
    { prompt: 'a fox', image: [dataUri, fox], aspect_ratio: '16:9' },
    { prompt: 'a fox', input_image: png, input_image_2: fox, width: 1360, height: 768 },
  ],
  [
    'the picture itself in place of its link, in a list',
    [gptImage25Flare],
    { prompt: 'make it snow', image: [fox] },
    { prompt: 'make it snow', image: [dataUri] },
  ],
  [
    'a conversation of one turn',
    [nanoBanana21],
    { prompt: 'make it snow', image: fox, aspect_ratio: '4:3', resolution: '2K' },
    {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'make it snow' }, { inlineData: { mimeType: 'image/png', data: png } }],
        },
      ],
      generationConfig: { imageConfig: { aspectRatio: '4:3', imageSize: '2K' } },
    },
  ],
  [
    'the first of several requests',
    [veo31Fast],
    { prompt: 'a fox', image: fox, duration: 8, sound: false },
    {
      instances: [{ prompt: 'a fox', image: { bytesBase64Encoded: png, mimeType: 'image/png' } }],
      parameters: { durationSeconds: 8, generateAudio: false },
    },
  ],
  [
    "the operator's fixed parameters, at any level",
    [
      {
        ...kling3Turbo,
        providerOptions: { 'options.watermark_info': { enabled: false }, 'settings.duration': 3 },
      },
    ],
    { prompt: 'a fox' },
    { prompt: 'a fox', options: { watermark_info: { enabled: false } }, settings: { duration: 3 } },
  ],
])('a job becomes what the partner wants: %s', async (_what, models, input, body) => {
  const provider = connect(models)
  const read = await provider.models[0]!.input['~standard'].validate(input)
  expect(read.issues).toBeUndefined()
  expect(await submit(provider, (read as { value: JsonObject }).value)).toMatchObject({ state: 'running' })
  expect(fake.last().body).toEqual(body)
})

test('a submit that is repeated, also by another process, gets the request that there is, and is charged once', async () => {
  const first = await submit(connect([flux3Image]), { prompt: 'a fox' }, 'one-job')
  expect(await submit(connect([flux3Image]), { prompt: 'a fox' }, 'one-job')).toEqual(first)
  expect(fake.ledger).toHaveLength(1)
  fake.trouble('POST', { instead: error(409, 'concurrency_limit_exceeded', 'In flight.') })
  await expect(submit(connect([flux3Image]), { prompt: 'a fox' }, 'two')).rejects.toThrow('still taking')
})

test('a job whose parameters have changed since its lost submit is not charged again, and says that it may be billed', async () => {
  await submit(connect([flux3Image]), { prompt: 'a fox' }, 'one-job')
  const changed = connect([{ ...flux3Image, providerOptions: { grounding: false } }])
  expect(await submit(changed, { prompt: 'a fox' }, 'one-job')).toMatchObject({
    state: 'failed',
    code: 'provider_lost',
    message: expect.stringContaining('may run there, and be billed'),
  })
  expect(fake.ledger).toHaveLength(1)
})

test.each<[string, Readonly<Record<string, string>>, number | undefined]>([
  [
    'exactly, in dollars',
    { 'x-litellm-response-cost': '0.0592417062', 'x-comfy-credits-used': '12.5' },
    0.0592417062,
  ],
  ['in credits', { 'x-comfy-credits-used': '25.32' }, 0.12],
  ['as nothing', { 'x-comfy-credits-used': '0' }, 0],
  ['nowhere', {}, undefined],
])('the cost of a job is what the Router says %s', async (_how, headers, costUsd) => {
  const priced = connect([{ ...flux3Image, price: 0.05 }])
  for (const [provider, usd] of [
    [connect([flux3Image]), costUsd],
    [priced, costUsd ?? 0.05],
  ] as const) {
    fake.trouble((request) => /requests\/[^/]+$/.test(request.url.pathname), {
      after: (reply) => ({ json: reply.json, headers }),
    })
    const report = await endOf(provider)
    expect(report).toMatchObject({ state: 'succeeded' })
    expect('costUsd' in report ? report.costUsd : undefined).toBe(usd)
  }
})

test.each<[string, ReturnType<typeof error>, object]>([
  ['no credits', error(402, 'insufficient_credits', 'Out of credits.'), { isAccountAtFault: true }],
  ['no queue', error(403, 'not_enabled', 'The key has no workspace.'), { isAccountAtFault: true }],
  ['a wrong key', error(401, 'unauthorized', 'Invalid API key.'), { isAccountAtFault: true }],
  [
    'no such model',
    error(404, 'model_not_found', 'Unknown.'),
    { message: 'There is no model bfl/flux-3-image at the Comfy Router: Unknown.' },
  ],
  ['moderation', error(400, 'content_policy_violation', 'No.'), { code: 'content_policy' }],
  ['a full queue', error(429, 'queue_backlog_full', 'Too many.'), { state: 'refused' }],
])('a submit that is refused for %s says so, and nothing is charged', async (_why, reply, report) => {
  fake.trouble('POST', { instead: reply })
  expect(await submit(connect([flux3Image]), { prompt: 'a fox' })).toMatchObject(report)
  expect(fake.ledger).toHaveLength(0)
})

test('a field that the model does not take is named, and nothing is charged', async () => {
  const provider = connect([{ ...flux3Image, providerOptions: { safety_tolerance: 9, steps: 4 } }])
  expect(await submit(provider, { prompt: 'a fox' })).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: expect.stringMatching(/steps.*; safety_tolerance: must be <= 4/),
  })
  expect(fake.ledger).toHaveLength(0)
})

test.each<[string, object]>([
  [
    'content_policy_violation',
    { code: 'content_policy', message: expect.stringContaining('content-policy grounds') },
  ],
  ['provider_timeout', { code: 'provider_failed' }],
  ['queue_timeout', { code: 'provider_failed' }],
  ['a_type_of_next_year', { code: 'provider_failed' }],
])(
  'a request that ends with %s fails its job, also if its result can not be read',
  async (errorType, report) => {
    const provider = connect([flux3Image])
    const task = await running(provider)
    fake.last().errorType = errorType
    expect(await provider.poll(task, call)).toMatchObject({ state: 'failed', ...report })
    fake.trouble((request) => /requests\/[^/]+$/.test(request.url.pathname), { instead: { status: 503 } })
    expect(await provider.poll(task, call)).toMatchObject({ state: 'failed' })
  },
)

test('a result that is not there yet, or is in trouble, is read again', async () => {
  const provider = connect([flux3Image])
  const task = await running(provider)
  const isResult = (request: { url: URL }) => /requests\/[^/]+$/.test(request.url.pathname)
  fake.trouble(isResult, { instead: { status: 202, json: { status: 'IN_PROGRESS' } } })
  expect(await provider.poll(task, call)).toMatchObject({ state: 'running' })
  fake.trouble(isResult, { instead: error(503, 'service_unavailable', 'Down.') })
  await expect(provider.poll(task, call)).rejects.toThrow('503')
  // A word that a partner uses for a refusal says nothing where the Router refuses the read.
  fake.trouble(isResult, { instead: error(401, 'invalid_input', 'Invalid API key.') })
  await expect(provider.poll(task, call)).rejects.toThrow('401')
  fake.trouble(isResult, { instead: { headers: { 'content-type': 'application/json' }, body: '{"id":"b2' } })
  await expect(provider.poll(task, call)).rejects.toThrow('broken JSON')
  expect(await provider.poll(task, call)).toMatchObject({ state: 'succeeded' })
})

test('a result that the Router keeps no more is lost', async () => {
  const provider = connect([flux3Image])
  const task = await running(provider)
  fake.trouble('/status', { instead: error(410, 'request_not_found', 'Gone.') })
  expect(await provider.poll(task, call)).toMatchObject({ state: 'failed', code: 'provider_lost' })
})

test('the place in the queue is reported, and the Router is polled no sooner than it advises', async () => {
  await fake.close()
  fake = await comfyRouterFake({ polls: 2 })
  const provider = connect([flux3Image])
  const task = await running(provider)
  expect(await provider.poll(task, call)).toMatchObject({
    state: 'running',
    queuePosition: 1,
    pollAfterMs: 1000,
  })
})

test('a canceled request ends as canceled if it had not begun, and otherwise is delivered', async () => {
  await fake.close()
  fake = await comfyRouterFake({ polls: 2 })
  const provider = connect([flux3Image])
  const task = await running(provider)
  await provider.cancel!(task, call)
  expect(await provider.poll(task, call)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('cancelled'),
  })
  const late = await running(provider)
  fake.last().pollsLeft = 0
  await provider.cancel!(late, call)
  expect(await provider.poll(late, call)).toMatchObject({ state: 'succeeded' })
})

test('a picture that a partner does not hold to be safe is not delivered', async () => {
  const provider = connect([comfyRouterModels.ideogram45])
  fake.trouble((request) => /requests\/[^/]+$/.test(request.url.pathname), {
    instead: { json: { data: [{ is_image_safe: false, url: `${fox}` }] } },
  })
  expect(await endOf(provider)).toMatchObject({ state: 'failed' })
})

test('the key goes to no other origin: neither to what an answer names, nor to where it redirects', async () => {
  const provider = connect([flux3Image])
  const task = await running(provider)
  const other = await comfyRouterFake()
  fake.trouble('/status', { instead: { status: 307, headers: { location: `${other.origin}/status` } } })
  await expect(provider.poll(task, call)).rejects.toThrow('redirect')
  expect(await provider.poll({ ...task, handle: { model: '../evil', request_id: 'x' } }, call)).toMatchObject(
    {
      state: 'unknown',
    },
  )
  expect(other.requests).toHaveLength(0)
  await other.close()
})
