import type { JsonObject } from '@genmount/core'
import { type RunwayModel, runwayProvider } from '@genmount/provider-runway'
import { expect, onTestFinished, test } from 'vitest'
import { film, runwayKey as token, startRunway } from './runway-fake.ts'

const { signal } = new AbortController()
const call = { signal }
const gen4: RunwayModel = { model: 'gen4.5', outputKind: 'video' }
const id = '17f20503-6c24-4c16-946b-35dbbce2af2f'
const task = { jobId: 'j', model: 'm', input: { prompt: 'a fox' } as JsonObject, clientToken: 't' }

/** A provider that gets the given answers in order, and the requests that it has sent. */
function answered(answers: readonly object[], model = gen4, status = 200) {
  const asked: { readonly method: string; readonly path: string; readonly body: unknown }[] = []
  const provider = runwayProvider({
    token,
    models: { m: model },
    fetch: async (url, { method = 'GET', body } = {}) => {
      const sent = body ? ((await new Response(body).json()) as unknown) : undefined
      asked.push({ method, path: String(url).replace('https://api.dev.runwayml.com', ''), body: sent })
      return Response.json(answers[asked.length - 1] ?? {}, { status })
    },
  })
  return { provider, asked }
}

const polled = (state: object, model = gen4) =>
  answered([{ id, ...state }], model).provider.poll({ ...task, handle: id }, call)

test.each([
  [{ status: 'PENDING' }, { state: 'running', handle: id, pollAfterMs: 5000 }],
  [{ status: 'THROTTLED' }, { state: 'running' }],
  [
    { status: 'RUNNING', progress: 0.4 },
    { state: 'running', progress: 0.4 },
  ],
  [
    { status: 'RUNNING', progress: 40 },
    { state: 'running', progress: undefined },
  ],
  [
    { status: 'SUCCEEDED', output: [film, film], cost: { credits: 25 } },
    { state: 'succeeded', outputs: [{ url: film }, { url: film }], costUsd: 0.25 },
  ],
  [
    { status: 'SUCCEEDED', output: [], cost: { credits: 25 } },
    { state: 'succeeded', outputs: [], costUsd: 0.25 },
  ],
  [
    { status: 'CANCELLED', cost: { credits: 0 } },
    { code: 'provider_failed', costUsd: 0 },
  ],
  [
    {
      status: 'FAILED',
      failure: 'The text was refused.',
      failureCode: 'SAFETY.INPUT.TEXT',
      cost: { credits: 25 },
    },
    { code: 'content_policy', message: 'The text was refused.', costUsd: 0.25 },
  ],
  [
    {
      status: 'FAILED',
      failure: 'An error occurred.',
      failureCode: 'INTERNAL.BAD_OUTPUT.CODE01',
      cost: { credits: 0 },
    },
    { code: 'provider_failed', message: 'An error occurred.', costUsd: 0 },
  ],
  [
    { status: 'FAILED', failure: 'Not a picture.', failureCode: 'ASSET.INVALID' },
    { code: 'provider_rejected' },
  ],
])('the runway provider reports the state %j as %j', async (state, report) => {
  expect(await polled(state)).toMatchObject(report)
})

test('the failure code of Runway goes to the log and not to the owner of the job', async () => {
  const report = await polled({ status: 'FAILED', failure: 'No.', failureCode: 'SAFETY.OUTPUT.VIDEO' })
  expect(report).toMatchObject({ message: 'No.', cause: new Error('SAFETY.OUTPUT.VIDEO') })
})

test('the price of a Runway model is the price of a credit', async () => {
  const state = { status: 'SUCCEEDED', output: [film], cost: { credits: 25 } }
  expect(await polled(state, { ...gen4, price: 0.008 })).toMatchObject({ costUsd: 0.2 })
  expect(answered([]).provider.models[0]).toMatchObject({ price: { text: '0.01 USD per credit of Runway' } })
})

/** The request and the endpoint at Runway for an input, or the reason why none is sent. */
async function sent(model: RunwayModel, input: object) {
  const { provider, asked } = answered([{ id, estimatedCost: { credits: 1 } }], model)
  const checked = await provider.models[0]!.input['~standard'].validate(input)
  if (checked.issues) return checked.issues.map(({ message }) => message).join()
  const report = await provider.submit({ ...task, input: checked.value as JsonObject }, call)
  return report.state === 'failed' ? report.message : [asked[0]?.path, asked[0]?.body]
}

const url = 'https://pictures.example.com/fox.png'
const prompt = 'a fox'

test('the runway provider sends the ratio and duration that a model requires when the job omits them', async () => {
  const film = { model: 'gen4.5', promptText: prompt }
  expect(await sent(gen4, { prompt })).toEqual([
    '/v1/text_to_video',
    { ...film, ratio: '1280:720', duration: 5 },
  ])
  expect(await sent(gen4, { prompt, aspect_ratio: '9:16', duration: 10 })).toEqual([
    '/v1/text_to_video',
    { ...film, ratio: '720:1280', duration: 10 },
  ])
  expect(await sent(gen4, { prompt, aspect_ratio: 'constructor' })).toEqual([
    '/v1/text_to_video',
    { ...film, ratio: 'constructor', duration: 5 },
  ])
  const picture: RunwayModel = { model: 'gen4_image', outputKind: 'image' }
  expect(await sent(picture, { prompt })).toEqual([
    '/v1/text_to_image',
    { model: 'gen4_image', promptText: prompt, ratio: '1024:1024' },
  ])
})

test('an upscaler of Runway can be offered by its endpoint and fields', async () => {
  const fields = { prompt: false, image: 'imageUri', aspect_ratio: false, seed: false } as const
  const upscaler: RunwayModel = {
    model: 'magnific_precision_upscaler_v2',
    outputKind: 'image',
    endpoint: 'image_upscale',
    fields: { ...fields, reference_images: false, num_outputs: false },
  }
  expect(await sent(upscaler, { image: url })).toEqual([
    '/v1/image_upscale',
    { model: 'magnific_precision_upscaler_v2', imageUri: url },
  ])
})

test.each<[string, object, string]>([
  ['gen4.5', { negative_prompt: 'fog' }, 'negative_prompt is unknown'],
  ['gen4.5', { image: url, last_frame: url }, 'last_frame is unknown'],
  ['gen4.5', { fps: 24 }, 'fps is unknown'],
  ['gen4.5', { sound: true }, 'sound is unknown'],
  ['gen4.5', { resolution: '720p' }, 'resolution is unknown'],
  ['veo3.1', { last_frame: url }, 'last_frame is only accepted together with image.'],
  ['seedance2', { image: url, video: url }, 'video is not accepted together with image.'],
  ['aleph2', { duration: 5 }, 'duration is unknown'],
])(
  'a job of %s with %j is refused by field name without a request to Runway',
  async (model, input, words) => {
    expect(await sent({ model, outputKind: 'video' }, { prompt, ...input })).toContain(words)
  },
)

test('runwayProvider throws if allowedProviderOptions has a parameter that a field sets', () => {
  for (const name of ['model', 'ratio', 'promptImage', 'seed'])
    expect(() => answered([], { ...gen4, allowedProviderOptions: [name] })).toThrow(`can't allow ${name}`)
})

test('the error of a Runway job names each field that Runway refuses', async () => {
  // Reported by other users: HTTP 400 with issues, 2026. The owner of the job reads Runway's words.
  const body = {
    error: 'Validation of body failed',
    issues: [{ code: 'too_big', path: ['duration'], message: 'Must be at most 10' }, { message: 'Odd' }, 3],
    docUrl: 'https://docs.dev.runwayml.com/api',
  }
  const report = await answered([body], gen4, 400).provider.submit(task, call)
  expect(report).toMatchObject({
    code: 'provider_rejected',
    message: 'Validation of body failed; duration: Must be at most 10; Odd',
  })
  expect(report).not.toHaveProperty('isAccountAtFault')
})

test('cancelling a job cancels a running Runway task and never deletes one that has ended', async () => {
  const { baseUrl, ledger, deleted, fake, close } = await startRunway()
  onTestFinished(close)
  const provider = runwayProvider({ token, baseUrl, models: { m: gen4 } })
  fake.pendingPolls = 3
  const begin = async () => {
    const report = await provider.submit(task, call)
    if (report.state !== 'running') throw new Error('expected a running task')
    return { ...task, handle: report.handle }
  }
  const running = await begin()
  for (let times = 0; times < 3; times++) await provider.cancel!(running, call)
  expect(deleted).toEqual([running.handle])
  expect(await provider.poll(running, call)).toMatchObject({ state: 'failed', costUsd: 0 })

  const over = await begin()
  ledger[1]!.polls = 9
  await provider.cancel!(over, call)
  expect(deleted).toHaveLength(1)
  expect(await provider.poll(over, call)).toMatchObject({ state: 'succeeded', costUsd: 0.6 })
  await provider.cancel!({ ...task, handle: 'unknown' }, call)
})

test('the runway provider reports a task without a valid handle as unknown without a request', async () => {
  const { provider, asked } = answered([])
  for (const handle of [null, '../x', {}, '']) {
    expect(await provider.poll({ ...task, handle }, call)).toMatchObject({ state: 'unknown' })
    await provider.cancel!({ ...task, handle }, call)
  }
  expect(asked).toHaveLength(0)
})
