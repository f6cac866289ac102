import type { JsonObject } from '@genmount/core'
import { klingAccessToken, klingProvider, type KlingModel } from '@genmount/provider-kling'
import { expect, onTestFinished, test } from 'vitest'
import { accessKey, fileAt, secretKey, startKling, token, webhookSecret } from './kling-fake.ts'
import { clientToken, clip, film, image, kling, signal } from './kling-world.ts'

test.each([
  ['kling-3.0', '/tasks?external_task_ids='],
  ['kling-v3', '/v1/videos/text2video/'],
])('a submit for %s whose answer was lost is found by our own id', async (model, path) => {
  const { fake, provider, taskOf } = await kling({ it: film(model) })
  const task = taskOf('it', { prompt: 'a fox' })
  const before = await provider.find!(task, { signal })
  expect(before).toMatchObject({ state: 'unknown' })
  fake.trouble('POST', { after: 'reset' })
  await expect(provider.submit(task, { signal })).rejects.toThrow()
  const after = await provider.find!(task, { signal })
  if (after?.state !== 'running') throw new Error('The task was not found.')
  expect(fake.requests.at(-1)!.url.href).toContain(`${path}${clientToken}`)
  expect(await provider.poll({ ...task, handle: after.handle }, { signal })).toMatchObject({
    state: 'succeeded',
  })
  expect(fake.ledger).toHaveLength(1)
})

test('a task that has another id than ours is never taken for a lost submit, nor for the answer to a poll', async () => {
  const { fake, provider, taskOf } = await kling({ it: film('kling-3.0') })
  const other = { id: '17', external_id: 'another job', status: 'failed', message: 'No.' }
  fake.trouble('GET', { instead: { json: { code: 0, data: [other] } }, times: 2 })
  const task = taskOf('it', { prompt: 'a fox' })
  expect(await provider.find!(task, { signal })).toMatchObject({ state: 'unknown' })
  expect(await provider.poll({ ...task, handle: '18' }, { signal })).toMatchObject({ state: 'unknown' })
})

test('a lost submit is found although its model is on offer no more', async () => {
  const { fake, submit, taskOf } = await kling({ it: film('kling-3.0') })
  await submit('it', { prompt: 'a fox' })
  const later = klingProvider({ token, baseUrl: fake.origin, models: { other: film('kling-3.0') } })
  const report = await later.find!(taskOf('it', { prompt: 'a fox' }), { signal })
  expect(report).toEqual({ state: 'running', handle: fake.ledger[0]!.id })
})

test("Kling's tasks since an instant are listed with our ids, page after page, and a list that breaks off is an error", async () => {
  const { fake, provider, submit } = await kling({ it: film('kling-3.0') })
  await submit('it', { prompt: 'a fox' })
  const { id, createdAt } = fake.ledger[0]!
  const old = { id: '16', status: 'failed', create_time: createdAt - 60_000 }
  fake.trouble('POST /tasks', {
    instead: { json: { code: 0, data: { result: [old], has_more: true, next_cursor: '0' } } },
  })
  const tasks = await listOf(provider.list!(createdAt - 1000, signal))
  expect(tasks).toEqual([{ handle: id, state: 'succeeded', createdAt, clientToken }])
  expect(fake.requests.slice(1).map(({ json }) => json())).toEqual([
    { start_time: String(createdAt - 1000), limit: 500 },
    { cursor: '0', limit: 500 },
  ])
  fake.trouble('POST /tasks', { instead: { json: { code: 0, data: { result: [], has_more: true } } } })
  await expect(listOf(provider.list!(0, signal))).rejects.toThrow('where its list of tasks goes on')
  const older = klingProvider({ accessKey, secretKey, models: { it: image('kling-v3') } })
  expect(older.list).toBeUndefined()
})

test('each request with the older keys has a fresh token that Kling accepts, and the secret key goes nowhere', async () => {
  let now = Date.now()
  const fake = await startKling({ polls: 0, now: () => now })
  onTestFinished(() => fake.close())
  const models = { it: image('kling-v3') }
  const provider = klingProvider({ accessKey, secretKey, baseUrl: fake.origin, models, now: () => now })
  const task = { jobId: 'job', model: 'it', input: { prompt: 'a fox' }, clientToken }
  const begun = await provider.submit(task, { signal })
  if (begun.state !== 'running') throw new Error('The task does not run.')
  now += 3_600_000
  const ended = await provider.poll({ ...task, handle: begun.handle }, { signal })
  expect(ended).toMatchObject({ state: 'succeeded', costUsd: 0.028 })
  const tokens = fake.requests.map(({ headers }) => headers['authorization'])
  expect(new Set(tokens).size).toBe(2)
  expect(JSON.stringify(fake.requests.map(({ headers, body }) => [headers, String(body)]))).not.toContain(
    secretKey,
  )
})

test('the token of an access key names the key and is valid from 5 seconds before to 30 minutes after now', async () => {
  // The times are those of the example at https://kling.ai/document-api/api/get-started/authentication.
  const made = await klingAccessToken({ accessKey: 'ak', secretKey: 'sk' }, 1_781_080_794_999)
  const [head = '', claims = ''] = made.split('.').map((part) => String(Buffer.from(part, 'base64url')))
  expect(JSON.parse(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(JSON.parse(claims)).toEqual({ iss: 'ak', exp: 1_781_082_594, nbf: 1_781_080_789 })
  expect(made).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/)
})

test("Kling's own example of a signed callback is accepted, and its result counts", async () => {
  // https://kling.ai/document-api/api/get-started/callbacks (appendix B, example)
  const secret = 'whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI='
  const body = new TextEncoder().encode(
    '{"id":"1234567890","status":"succeeded","message":"","create_time":1781080778802,"update_time":1781080794151}',
  )
  const headers = {
    'webhook-id': '9876543210',
    'webhook-timestamp': '1781080794',
    'webhook-signature': 'v1,UsKlJP00XoQyOn410NM9xv34sP+Gl0jnOO9Lcpr7NJ4=',
  }
  const now = () => 1_781_080_800_000
  const { provider, taskOf } = await kling({ it: film('kling-3.0') }, { webhookSecret: secret, now })
  const task = { ...taskOf('it', { prompt: 'a fox' }), handle: '1234567890' }
  expect(await provider.readCallback!({ headers, body }, task)).toMatchObject({
    handle: '1234567890',
    report: { state: 'succeeded' },
  })
  const forged = new TextEncoder().encode('{"id":"1234567890","status":"failed"}')
  await expect(provider.readCallback!({ headers, body: forged }, task)).rejects.toThrow('signature')
})

test.each([
  ['of the newer generation', film('kling-3.0'), { cost: 0.56, file: 'it.mp4' }],
  ['of the older generation', image('kling-v3'), { cost: 0.028, file: 'it-0.png' }],
])(
  'a signed callback %s brings the result, also before the answer to the submit',
  async (_what, model, { cost, file }) => {
    const { fake, provider, submit, taskOf } = await kling({ it: model }, { webhookSecret })
    const begun = await submit('it', { prompt: 'a fox' }, 'https://app.example/v1/callbacks/a')
    if (begun.state !== 'running') throw new Error('The task does not run.')
    expect(fake.webhook.address()).toBe('https://app.example/v1/callbacks/a')
    const task = { ...taskOf('it', { prompt: 'a fox' }), handle: null }
    const news = {
      handle: begun.handle,
      report: { state: 'succeeded', outputs: [{ url: fileAt(file) }], costUsd: cost },
    }
    expect(await provider.readCallback!(fake.webhook.signed(Date.now()), task)).toMatchObject(news)
    const other = { ...task, handle: '17' }
    expect(await provider.readCallback!(fake.webhook.signed(Date.now()), other)).toEqual(begun.handle)
  },
)

test('without a Webhook Secret, callbacks are hints, and Kling gets no callback URL that is not https', async () => {
  const { fake, provider, submit } = await kling({ it: film('kling-3.0') })
  expect([provider.callbacksAreHints, provider.readCallback]).toEqual([true, undefined])
  await submit('it', { prompt: 'a fox' }, 'http://127.0.0.1/v1/callbacks/a')
  expect(fake.webhook.address()).toBeUndefined()
  await submit('it', { prompt: 'a fox' }, 'https://app.example/v1/callbacks/a')
  expect(fake.webhook.address()).toBe('https://app.example/v1/callbacks/a')
})

test.each([
  ['1303', { status: 429, json: { code: 1303, message: 'parallel task over resource pack limit' } }],
  ['1302 in an answer with 200', { json: { code: 1302, message: 'rate limit exceeded' } }],
])('a submit that Kling answers with %s is submitted again later', async (_what, instead) => {
  const { fake, submit } = await kling({ it: film('kling-3.0') })
  fake.trouble('POST', { instead })
  expect(await submit('it', { prompt: 'a fox' })).toMatchObject({ state: 'refused', status: 429 })
})

test('a submit that Kling answers with a code that is not published is of unknown outcome', async () => {
  const { fake, submit } = await kling({ it: film('kling-3.0') })
  fake.trouble('POST', { instead: { json: { code: 7777, message: 'Something new' } } })
  await expect(submit('it', { prompt: 'a fox' })).rejects.toThrow('Something new')
})

test.each<[string, KlingModel, JsonObject, number | undefined]>([
  ['3.0 at 720p for 5 seconds', film('kling-3.0'), { prompt: 'a' }, 0.42],
  [
    '3.0 at 1080p with sound for 10 seconds',
    film('kling-3.0'),
    { prompt: 'a', resolution: '1080p', sound: true, duration: 10 },
    1.68,
  ],
  ['3.0 Omni after a film', film('kling-3.0-omni'), { prompt: 'a', reference_videos: [clip] }, 0.63],
  ['a film that is edited', film('kling-3.0-omni'), { prompt: 'a', video: clip }, undefined],
  ['3.0 Turbo at 1080p', film('kling-3.0-turbo'), { prompt: 'a', resolution: '1080p' }, 0.7],
  ['2.6 with sound', film('kling-2.6'), { prompt: 'a', sound: true }, 0.7],
  ['two pictures at 2k', image('kling-v3'), { prompt: 'a', resolution: '2k', num_outputs: 2 }, 0.056],
])('the expected cost of %s is that of the published units', async (_what, model, input, usd) => {
  const { provider } = await kling({ it: model })
  expect(provider.models[0]!.price!.usdOf!(input)).toBe(usd)
})

test("in mainland China, where Kling's prices are in yuan, models have no price of their own", () => {
  const baseUrl = 'https://api-beijing.klingai.com'
  const model = (price?: number) =>
    klingProvider({ token, baseUrl, models: { it: { ...film('kling-3.0'), price } } }).models[0]!
  expect(model()).toMatchObject({ isCostKnown: false, price: undefined })
  expect(model(0.13)).toMatchObject({ isCostKnown: true, price: { usd: 0.13 } })
})

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
