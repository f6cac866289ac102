import type { JsonObject } from '@genmount/core'
import { type BflModel, bflProvider, type BflProviderOptions } from '@genmount/provider-bfl'
import { expect, test } from 'vitest'
import { faultIn } from '../body-schemas.ts'
import { bodyOf } from './bfl-bodies.ts'
import { bflKey as token, sample, webhookSecret } from './bfl-fake.ts'

const { signal } = new AbortController()
const call = { signal }
const flux: BflModel = { endpoint: 'flux-2-pro', outputKind: 'image' }
const id = 'd5ba37dc-ba09-4658-852e-deea7e176439'
const task = { jobId: 'j', model: 'm', input: { prompt: 'a fox' } as JsonObject, clientToken: 't' }

/** A provider that gets the given answers in order, and the requests that it has sent. */
function answered(answers: readonly object[], model = flux, options: Partial<BflProviderOptions> = {}) {
  const asked: { readonly url: string; readonly key: string | null; readonly body: unknown }[] = []
  const provider = bflProvider({
    token,
    models: { m: model },
    fetch: async (url, init = {}) => {
      const body = init.body ? ((await new Response(init.body).json()) as unknown) : undefined
      asked.push({ url: String(url), key: new Headers(init.headers).get('x-key'), body })
      return Response.json(answers[asked.length - 1] ?? {})
    },
    ...options,
  })
  return { provider, asked }
}

test('the bfl provider polls the polling URL that BFL has sent, with the key', async () => {
  // https://docs.yutoai.net/en/api/api-382419079.html has such an answer; read in November 2026.
  const polling_url = `https://api.eu2.bfl.ai/v1/get_result?id=${id}`
  const taken = { id, polling_url, cost: 4.5, input_mp: 0, output_mp: 1.98 }
  const { provider, asked } = answered([taken, { id, status: 'Pending', result: null }])
  const begun = await provider.submit(task, call)
  expect(begun).toEqual({ state: 'running', handle: { id, polling_url, cost: 4.5 } })
  if (begun.state !== 'running') throw new Error('expected a running task')
  expect(await provider.poll({ ...task, handle: begun.handle }, call)).toEqual(begun)
  expect(asked.map(({ url, key }) => [url, key])).toEqual([
    ['https://api.bfl.ai/v1/flux-2-pro', token],
    [polling_url, token],
  ])
})

test.each([
  ['elsewhere', 'https://api.bfl.ai.evil.example/v1/get_result?id=1', undefined],
  ['at a host that only ends like BFL', 'https://evilbfl.ai/v1/get_result?id=1', undefined],
  ['without TLS', 'http://api.eu2.bfl.ai/v1/get_result?id=1', undefined],
  ['at another port', 'https://api.eu2.bfl.ai:8443/v1/get_result?id=1', undefined],
  ['with a password', 'https://me:pw@api.eu2.bfl.ai/v1/get_result?id=1', undefined],
  [
    'at BFL, behind a proxy',
    `https://api.eu2.bfl.ai/v1/get_result?id=${id}`,
    'https://proxy.example/bfl/v1/',
  ],
  ['that is none', 'get_result', undefined],
])('the bfl provider does not send its key to a polling URL %s', async (_where, polling_url, baseUrl) => {
  const { provider, asked } = answered([{ id, polling_url }, { status: 'Pending' }], flux, { baseUrl })
  const begun = await provider.submit(task, call)
  expect(begun).toEqual({ state: 'running', handle: { id } })
  await provider.poll({ ...task, handle: { id, polling_url } }, call)
  const base = baseUrl ?? 'https://api.bfl.ai/v1/'
  expect(asked.at(-1)?.url).toBe(`${base}get_result?id=${id}`)
})

const ended = async (state: object, model = flux, handle: JsonObject = { id, cost: 5 }) =>
  answered([{ id, ...state }], model).provider.poll({ ...task, handle }, call)

test.each<[string, BflModel['price'], number | undefined, number | undefined, number | undefined]>([
  ['what the submit has said', undefined, 5, undefined, 0.05],
  ['what is settled at the end', undefined, 5, 8.5, 0.085],
  ['what is settled, of a submit that said nothing', undefined, undefined, 0, 0],
  ['no known cost, when BFL says none', undefined, undefined, undefined, undefined],
  ['the price of a credit that was agreed on', 0.008, 5, undefined, 0.04],
])('a bfl job costs %s', async (_what, price, estimated, settled, costUsd) => {
  const handle = estimated === undefined ? { id } : { id, cost: estimated }
  const result = { sample, start_time: 1000.5, end_time: 1004 }
  expect(await ended({ status: 'Ready', result, cost: settled }, { ...flux, price }, handle)).toEqual({
    state: 'succeeded',
    outputs: [{ url: sample }],
    costUsd,
    inferenceMs: 3500,
  })
})

// https://docs.bfl.ai/api_integration/errors and the enum StatusResponse of BFL's OpenAPI document; Reasoning and
// Generating were added to it in 2026. Moderated tasks are not charged: help.bfl.ai, "Why did my request fail?"
test.each([
  [
    { status: 'Pending', progress: 0.3 },
    { state: 'running', handle: { id, cost: 5 } },
  ],
  [{ status: 'Reasoning' }, { state: 'running' }],
  [{ status: 'Generating' }, { state: 'running' }],
  [
    { status: 'Request Moderated', details: { 'Moderation Reasons': ['Safety Filter'] } },
    {
      state: 'failed',
      code: 'content_policy',
      message: 'Request Moderated: {"Moderation Reasons":["Safety Filter"]}',
      costUsd: 0,
    },
  ],
  [
    { status: 'Content Moderated', details: 'Derivative works' },
    { state: 'failed', code: 'content_policy', message: 'Content Moderated: Derivative works', costUsd: 0 },
  ],
  [
    { status: 'Error', error: 'content_policy_violation', message: 'The prompt violated content policy' },
    { state: 'failed', code: 'content_policy', message: 'The prompt violated content policy' },
  ],
  [
    { status: 'Error', details: { reason: 'generation_timeout' }, cost: 0 },
    { state: 'failed', code: 'provider_failed', message: '{"reason":"generation_timeout"}', costUsd: 0 },
  ],
  [{ status: 'Failed' }, { state: 'failed', code: 'provider_failed' }],
  [{ status: 'Task not found' }, { state: 'unknown' }],
  [
    { status: 'Ready', result: { sample: null } },
    { state: 'failed', code: 'output_invalid', costUsd: 0.05 },
  ],
])('the bfl provider reports the state %j as %j', async (state, report) => {
  expect(await ended(state)).toMatchObject(report)
})

/** The request that the endpoint gets for an input, or the reason why none is sent. */
async function sent(endpoint: string, input: JsonObject, more: Partial<BflModel> = {}) {
  const outputKind = endpoint.includes('video') ? 'video' : 'image'
  const { provider, asked } = answered([{ id }], { endpoint, outputKind, ...more })
  const checked = await provider.models[0]!.input['~standard'].validate(input)
  if (checked.issues) return checked.issues.map(({ message }) => message).join()
  const report = await provider.submit({ ...task, input: checked.value as JsonObject }, call)
  return report.state === 'failed' ? report.message : asked[0]?.body
}

const url = 'https://pictures.example.com/fox.png'
const png = 'iVBORw0KGgo='
const bare = `data:image/png;base64,${png}`

test.each<[string, JsonObject, unknown]>([
  ['flux-2-pro', { aspect_ratio: '1:1', seed: 7 }, { width: 1024, height: 1024, seed: 7 }],
  ['flux-2-max', { aspect_ratio: '16:9' }, { width: 1360, height: 768 }],
  ['flux-2-flex', { image: [url, bare], guidance: 4 }, { input_image: url, input_image_2: png, guidance: 4 }],
  ['flux-pro-1.1', { aspect_ratio: '21:9', image: bare }, { width: 1440, height: 608, image_prompt: png }],
  ['flux-pro-1.1-ultra', { aspect_ratio: '21:9' }, { aspect_ratio: '21:9' }],
  ['flux-pro-1.0-fill', { image: bare, mask: bare }, { image: png, mask: png }],
  ['flux-3-video', { duration: 8, sound: true }, { mode: 't2v', duration: 8, generate_audio: true }],
  ['flux-3-video', { image: url, last_frame: bare }, { mode: 'i2v', keyframes: [url, png] }],
  ['flux-3-video', { video: url, resolution: '720p' }, { mode: 'v2v', start_video: url, resolution: 'hd' }],
  ['flux-3-video', { resolution: 'constructor' }, { mode: 't2v', resolution: 'constructor' }],
  ['flux-3-image', { aspect_ratio: '7:5', resolution: '2K' }, { aspect_ratio: '7:5', resolution: '2k' }],
  ['flux-3-image', { image: [url, bare] }, { images: [url, png] }],
  ['flux-3-image-klein', { image: url, seed: 7 }, { images: [url], seed: 7 }],
  ['flux-tools/vto-v1', { image: [url, bare] }, { person: url, garment: png }],
  [
    'flux-tools/outpainting-v1',
    { image: bare, aspect_ratio: '1:1' },
    { input_image: png, width: 1024, height: 1024 },
  ],
  ['flux-tools/video-upscale-v1', { video: url }, { input_video: url }],
  ['flux-9-new', { image: url, aspect_ratio: '1:1' }, { input_image: url, width: 1024, height: 1024 }],
])('the bfl provider sends to %s the fields %j as %j', async (endpoint, input, fields) => {
  const body = { prompt: 'a fox', ...(fields as object) }
  expect(await sent(endpoint, { prompt: 'a fox', ...input })).toEqual(body)
  const schema = bodyOf(endpoint)
  if (schema && input['resolution'] !== 'constructor') expect(faultIn(schema, body)).toBeUndefined()
})

test.each<[string, JsonObject, JsonObject]>([
  ['flux-tools/erase-v1', { image: bare, mask: url }, { image: png, mask: url }],
  ['flux-tools/deblur-v1', { image: url, seed: 7 }, { image: url, seed: 7 }],
])('the bfl provider sends to %s, which needs no prompt, %j as %j', async (endpoint, input, body) => {
  expect(await sent(endpoint, input)).toEqual(body)
  expect(faultIn(bodyOf(endpoint)!, body)).toBeUndefined()
})

test.each([
  ['flux-2-pro', { negative_prompt: 'fog' }, 'negative_prompt is unknown'],
  ['flux-2-pro', { num_outputs: 2 }, 'num_outputs is unknown'],
  ['flux-2-pro', { resolution: '2K' }, 'resolution is unknown'],
  ['flux-2-pro', { aspect_ratio: 'wide' }, 'The input cannot be translated'],
  ['flux-2-klein-4b', { image: [url, url, url, url, url] }, 'image must be'],
  ['flux-2-pro', { provider_options: { webhook_url: url } }, 'provider_options is off'],
  ['flux-pro-1.0-fill', { aspect_ratio: '1:1' }, 'aspect_ratio is unknown'],
  ['flux-3-image', { seed: 1 }, 'seed is unknown'],
  ['flux-3-image', { negative_prompt: 'fog' }, 'negative_prompt is unknown'],
  ['flux-tools/erase-v1', { image: bare, mask: url }, 'prompt is unknown'],
  ['flux-tools/outpainting-v1', { image: bare }, 'aspect_ratio is required'],
  ['flux-3-video', { seed: 1 }, 'seed is unknown'],
  ['flux-3-video', { fps: 24 }, 'fps is unknown'],
  ['flux-3-video', { last_frame: url }, 'last_frame is only accepted together with image.'],
  ['flux-3-video', { image: url, video: url }, 'video is not accepted together with image'],
])(
  'a job of %s with %j is refused by field name without a request to BFL',
  async (endpoint, input, words) => {
    expect(await sent(endpoint, { prompt: 'a fox', ...input } as JsonObject)).toContain(words)
  },
)

test('an operator of bfl models can offer width and height instead of ratios, and cannot allow webhook fields', async () => {
  const { number, pipe, integer } = await import('valibot')
  const width = pipe(number(), integer())
  const own = { fields: { aspect_ratio: false }, inputs: { width, height: width } } as const
  expect(await sent('flux-2-pro', { prompt: 'a fox', width: 640, height: 480 }, own)).toEqual({
    prompt: 'a fox',
    width: 640,
    height: 480,
  })
  for (const name of ['webhook_url', 'webhook_secret', 'width'])
    expect(() => answered([], { ...flux, allowedProviderOptions: [name] })).toThrow(`can't allow ${name}`)
  expect(() => answered([], { ...flux, inputs: { width } })).toThrow("can't have width")
})

test('the bfl provider asks for webhooks only with a secret and an https callback URL, and not for FLUX 3', async () => {
  const callbackUrl = 'https://app.example/v1/callbacks/bfl/j/3cret'
  const askedOf = async (model: BflModel, options: Partial<BflProviderOptions>, callbackUrl: string) => {
    const { provider, asked } = answered(
      [{ id, status: 'Pending', webhook_url: callbackUrl }],
      model,
      options,
    )
    expect(await provider.submit(task, { signal, callbackUrl })).toEqual({ state: 'running', handle: { id } })
    return asked[0]?.body
  }
  const hooked = { prompt: 'a fox', webhook_url: callbackUrl, webhook_secret: webhookSecret }
  expect(await askedOf(flux, { webhookSecret }, callbackUrl)).toEqual(hooked)
  expect(await askedOf(flux, {}, callbackUrl)).toEqual({ prompt: 'a fox' })
  expect(await askedOf(flux, { webhookSecret }, 'http://app.example/cb')).toEqual({ prompt: 'a fox' })
  const film: BflModel = { endpoint: 'flux-3-video', outputKind: 'video' }
  expect(await askedOf(film, { webhookSecret }, callbackUrl)).toEqual({ prompt: 'a fox', mode: 't2v' })
  const image: BflModel = { endpoint: 'flux-3-image', outputKind: 'image' }
  expect(await askedOf(image, { webhookSecret }, callbackUrl)).toEqual({ prompt: 'a fox' })
  expect(answered([]).provider.readCallback).toBeUndefined()
})

test('the bfl provider removes its key and its webhook secret from the errors of BFL', async () => {
  const words = { error: 'validation_error', message: `No ${token} and no ${webhookSecret}.`, retry_after: 5 }
  const refusing = (status: number) =>
    bflProvider({
      token,
      webhookSecret,
      models: { m: flux },
      fetch: async () => Response.json(words, { status }),
    }).submit(task, call)
  const message = 'No [secret] and no [secret].'
  expect(await refusing(422)).toMatchObject({ state: 'failed', code: 'provider_rejected', message })
  expect(await refusing(429)).toMatchObject({ state: 'refused', message, retryAfterMs: 5000 })
})

test('the bfl provider reports a task without a valid handle as unknown without a request', async () => {
  const { provider, asked } = answered([])
  for (const handle of [null, 'x', {}, { id: '../x' }])
    expect(await provider.poll({ ...task, handle }, call)).toMatchObject({ state: 'unknown' })
  expect(asked).toHaveLength(0)
})

/** A webhook in the words of apps that receive them: `task_id`, `SUCCESS`, and the secret in a header of its own. */
const plainWebhook = (fields: object, secret = webhookSecret) => ({
  headers: { 'x-webhook-secret': secret },
  body: new TextEncoder().encode(JSON.stringify({ task_id: id, ...fields })),
})

test('a webhook of bfl that has our secret in a header of its own brings the result, in either form of its words', async () => {
  const { provider } = answered([], flux, { webhookSecret })
  const running = { ...task, handle: { id, cost: 4.5 } }
  const made = plainWebhook({ status: 'SUCCESS', result: { sample, seed: 7, duration: 2 } })
  expect(await provider.readCallback!(made, running)).toMatchObject({
    report: { state: 'succeeded', outputs: [{ url: sample }], costUsd: 0.045 },
  })
  expect(
    await provider.readCallback!(plainWebhook({ status: 'FAILED', error: 'No GPU.' }), running),
  ).toMatchObject({
    report: { state: 'failed', code: 'provider_failed', message: 'No GPU.' },
  })
  expect(await provider.readCallback!(plainWebhook({ status: 'PENDING' }), running)).toEqual({ id })
})

test('a webhook of bfl with another secret, with two proofs of which one is wrong, or with none is refused', async () => {
  const { provider } = answered([], flux, { webhookSecret })
  const { headers, body } = plainWebhook({ status: 'SUCCESS', result: { sample } })
  for (const wrong of [
    { 'x-webhook-secret': `${webhookSecret}x` },
    { 'x-webhook-secret': webhookSecret.slice(0, -1) },
    { 'x-webhook-secret': '' },
    { ...headers, 'x-bfl-signature': `sha256=${'0'.repeat(64)}` },
    {},
  ] as const)
    await expect(provider.readCallback!({ headers: wrong, body })).rejects.toThrow('webhook')
})

test('a task of bfl without a polling URL that BFL does not find counts as running, and any other as unknown', async () => {
  const missing = { id, status: 'Task not found', result: null }
  const stateOf = async (handle: JsonObject, options: Partial<BflProviderOptions> = { webhookSecret }) =>
    (await answered([missing], flux, options).provider.poll({ ...task, handle }, call)).state
  expect(await stateOf({ id, cost: 4.5 })).toBe('running')
  expect(await stateOf({ id })).toBe('running')
  expect(await stateOf({ id, polling_url: `https://api.bfl.ai/v1/get_result?id=${id}` })).toBe('unknown')
  expect(await stateOf({ id, cost: 4.5 }, {})).toBe('unknown')
})
