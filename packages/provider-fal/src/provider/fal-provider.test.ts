import { expect, test } from 'vitest'
import type { JsonObject, Price, ProviderReport } from '@genmount/core'
import type { FalModel } from './fal-options.ts'
import { falProvider } from './fal-provider.ts'

const token = 'key-id:0123456789abcdef-secret'
const call = { signal: new AbortController().signal }
const flux: FalModel = { endpoint: 'fal-ai/flux/schnell', outputKind: 'image' }
const request_id = 'r-1'

/** A provider whose requests get these answers in turn, and the requests that it sent. */
function providerAnswered(answers: readonly Response[], model: FalModel = flux, options = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  const provider = falProvider({
    token,
    models: { m: model },
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init })
      const answer = answers[asked.length - 1]
      if (!answer) throw new Error('One request too many.')
      return answer
    },
    ...options,
  })
  return { provider, asked }
}

const task = (input: JsonObject = { prompt: 'a' }) => ({ jobId: 'j', model: 'm', input, clientToken: 't' })
const picture = { images: [{ url: 'https://v3.fal.media/a.png' }, { url: 'https://v3.fal.media/b.png' }] }

function finished(
  units: string | undefined,
  price: Price,
  input: JsonObject,
  model: Partial<FalModel> = {},
): Promise<ProviderReport> {
  const headers = units === undefined ? {} : { 'x-fal-billable-units': units }
  const answers = [Response.json({ status: 'COMPLETED' }), Response.json(picture, { headers })]
  const { provider } = providerAnswered(answers, { ...flux, price, ...model })
  return provider.poll({ ...task(input), handle: { request_id } }, call)
}

test.each<[string, Price, string | undefined, JsonObject, number]>([
  ['a unit', 0.025, '1.5', {}, 0.0375],
  ['no unit', 0.025, '0', {}, 0],
  ['outputs, where fal counts none', 0.025, undefined, {}, 0.05],
  ['outputs, where fal counts nonsense', 0.025, 'many', {}, 0.05],
  ['the resolution', { by: 'resolution', usd: { '2K': 0.1, '4K': 0.2 } }, '2', { resolution: '4K' }, 0.4],
  ['a function', ({ input, units }) => units * Number(input['steps']), '2', { steps: 3 }, 6],
])('a job costs its price for %s', async (_what, price, units, input, costUsd) => {
  expect(await finished(units, price, input)).toMatchObject({ state: 'succeeded', costUsd })
})

test.each<[NonNullable<FalModel['priceUnit']>, string | undefined, number | undefined]>([
  ['second', '8', 3.2],
  ['second', '0', 0],
  ['second', undefined, undefined],
  ['megapixel', undefined, undefined],
  ['image', undefined, 0.8],
  ['image', '3', 1.2],
])('where the price is for each %s and fal counts %s units, a job costs %s', async (unit, units, costUsd) => {
  const report = await finished(units, 0.4, {}, { priceUnit: unit })
  expect(report).toMatchObject({ state: 'succeeded' })
  expect(report).toHaveProperty('costUsd', costUsd)
})

test('falProvider tells clients the price with its unit', () => {
  const priced = { ...flux, price: 0.4, priceUnit: 'second' }
  const { models } = falProvider({ token, models: { film: priced } })
  expect(models[0]?.price?.text).toBe('0.4 USD per second')
})

test.each([
  [{ status: 'IN_QUEUE', queue_position: 3 }, 3],
  [{ status: 'IN_QUEUE', queue_position: 0 }, 0],
  [{ status: 'IN_QUEUE', queue_position: 'soon' }, undefined],
  [{ status: 'IN_PROGRESS', queue_position: 0 }, undefined],
])('while %j, the place in the queue is %s', async (status, queuePosition) => {
  const { provider } = providerAnswered([Response.json(status)])
  const report = await provider.poll({ ...task(), handle: { request_id } }, call)
  expect(report).toMatchObject({ state: 'running', handle: { request_id } })
  expect(report).toHaveProperty('queuePosition', queuePosition)
})

test('falProvider posts the input with the key and the headers of the app', async () => {
  const { provider, asked } = providerAnswered([Response.json({ request_id })], flux, {
    headers: { 'X-Fal-Queue-Priority': 'low', Authorization: 'Key another' },
  })
  await provider.submit(task({ prompt: 'a fox', num_outputs: 2 }), call)
  expect(asked).toMatchObject([
    { url: 'https://queue.fal.run/fal-ai/flux/schnell', init: { method: 'POST' } },
  ])
  expect(await new Response(asked[0]?.init.body).text()).toBe('{"prompt":"a fox","num_images":2}')
  expect(Object.fromEntries(new Headers(asked[0]?.init.headers))).toEqual({
    authorization: `Key ${token}`,
    'content-type': 'application/json',
    'x-fal-queue-priority': 'low',
  })
})

async function sent(input: JsonObject, outputKind: FalModel['outputKind'], fields?: FalModel['fields']) {
  const { provider, asked } = providerAnswered([Response.json({ request_id })], {
    ...flux,
    outputKind,
    fields,
  })
  const report = await provider.submit(task(input), call)
  return { report, body: asked[0] && ((await new Response(asked[0].init.body).json()) as unknown) }
}

test('falProvider sends fields under the names that most endpoints use', async () => {
  const image = 'https://example.com/fox.png'
  const input = { prompt: 'a', image, aspect_ratio: '16:9', seed: 7, num_outputs: 2, resolution: '2K' }
  expect((await sent(input, 'image')).body).toEqual({
    prompt: 'a',
    image_url: image,
    image_size: 'landscape_16_9',
    seed: 7,
    num_images: 2,
    resolution: '2K',
  })
  expect((await sent({ prompt: 'a', aspect_ratio: '9:16', duration: 5 }, 'video')).body).toEqual({
    prompt: 'a',
    aspect_ratio: '9:16',
    duration: '5',
  })
})

test.each([
  ['21:9', { width: 1568, height: 672 }],
  ['1:1', 'square_hd'],
  ['auto_2K', 'auto_2K'],
  ['constructor', 'constructor'],
])('the shape %s of a picture becomes %j', async (aspect_ratio, image_size) => {
  expect((await sent({ prompt: 'a', aspect_ratio }, 'image')).body).toMatchObject({ image_size })
})

test("the endpoint's own fields pass through, ours win, and results always have links", async () => {
  const provider_options = { prompt: 'theirs', guidance_scale: 3, sync_mode: true, nothing: null }
  expect((await sent({ prompt: 'ours', provider_options }, 'image')).body).toEqual({
    prompt: 'ours',
    guidance_scale: 3,
    nothing: null,
  })
})

test('falProvider sends fields under the names that the option fields gives', async () => {
  const image = 'https://example.com/fox.png'
  const fields: FalModel['fields'] = {
    image: 'image_urls[]',
    aspect_ratio: 'aspect_ratio',
    duration: (seconds) => ({ duration: `${seconds}s` }),
  }
  expect((await sent({ image, aspect_ratio: '1:1', duration: 8 }, 'video', fields)).body).toEqual({
    image_urls: [image],
    aspect_ratio: '1:1',
    duration: '8s',
  })
})

test('a job fails without a request to fal when a function in the option fields throws', async () => {
  const failing = () => {
    throw new Error('Oops.')
  }
  for (const prompt of [failing, () => 'a text' as never]) {
    const { report, body } = await sent({ prompt: 'a' }, 'image', { prompt })
    expect(report).toMatchObject({ state: 'failed', code: 'provider_rejected' })
    expect(body).toBeUndefined()
  }
})

test.each([
  ['fal-ai/flux/schnell', 'fal-ai/flux'],
  ['fal-ai/fast-sdxl', 'fal-ai/fast-sdxl'],
  ['workflows/fal-ai/sdxl-sticker/x', 'workflows/fal-ai/sdxl-sticker'],
])('a request of %s that is known by its id alone is found under %s', async (endpoint, app) => {
  const { provider, asked } = providerAnswered([Response.json({ status: 'IN_QUEUE' })], { ...flux, endpoint })
  await provider.poll({ ...task(), handle: { request_id } }, call)
  expect(asked[0]?.url).toBe(`https://queue.fal.run/${app}/requests/r-1/status`)
})

test('falProvider asks the proxy at baseUrl instead of the addresses in the answers of fal', async () => {
  const named = { request_id, status_url: 'https://queue.fal.run/fal-ai/flux/requests/r-1/status' }
  const answers = [Response.json(named), Response.json({ status: 'IN_QUEUE' })]
  const { provider, asked } = providerAnswered(answers, flux, { baseUrl: 'https://proxy.example/fal/' })
  const begun = await provider.submit(task(), call)
  if (begun.state !== 'running') throw new Error('expected a running task')
  await provider.poll({ ...task(), handle: begun.handle }, call)
  expect(asked.map(({ url }) => url)).toEqual([
    'https://proxy.example/fal/fal-ai/flux/schnell',
    'https://proxy.example/fal/fal-ai/flux/requests/r-1/status',
  ])
})

test('falProvider reports a task with a wrong handle as unknown without a request to fal', async () => {
  const { provider, asked } = providerAnswered([])
  for (const handle of [null, 'r-1', {}, { request_id: '../x' }])
    expect(await provider.poll({ ...task(), handle }, call)).toMatchObject({ state: 'unknown' })
  expect(asked).toHaveLength(0)
})
