import type { RunningTask } from '@genmount/core'
import { createReplicate } from '@ai-sdk/replicate'
import Replicate, { type Page, type Prediction, validateWebhook } from 'replicate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FakeReplicate, knownVersion, startReplicate } from './fake-replicate.ts'
import { providerAt } from './replicate-world.ts'

let fake: FakeReplicate
let sdk: Replicate
beforeEach(async () => {
  fake = await startReplicate()
  sdk = new Replicate({ auth: fake.token, baseUrl: fake.baseUrl, useFileOutput: false })
})
afterEach(() => fake.close())

const aiSdk = () => createReplicate({ apiToken: fake.token, baseURL: fake.baseUrl, fetch: fake.fetch })
const call = () => ({ signal: new AbortController().signal })
const task = { jobId: 'job', model: 'painter', input: { prompt: 'a fox' }, clientToken: 'token' }

test("Replicate's SDK runs official models and versions on the fake, waiting and polling", async () => {
  const input = { prompt: 'a fox', num_outputs: 2 }
  const [waited] = [await sdk.run('acme/painter', { input })]
  expect(waited).toEqual([expect.stringMatching(/out-0\.png$/), expect.stringMatching(/out-1\.png$/)])
  const polled = await sdk.run(`acme/painter:${knownVersion}`, { input, wait: { mode: 'poll', interval: 5 } })
  expect(polled).toHaveLength(2)
})

test("Replicate's SDK reads, cancels and is refused by the fake as by the original", async () => {
  const started = await sdk.predictions.create({ model: 'acme/film', input: { prompt: 'the sea' } })
  expect(started).toMatchObject({ status: 'starting', version: 'hidden', output: null })
  expect(await sdk.predictions.cancel(started.id)).toMatchObject({ status: 'canceled' })
  expect(await sdk.predictions.get(started.id)).toMatchObject({ id: started.id, status: 'canceled' })
  await expect(sdk.predictions.get('unknown')).rejects.toMatchObject({ response: { status: 404 } })
  const stranger = new Replicate({ auth: 'r8_wrong', baseUrl: fake.baseUrl })
  await expect(stranger.predictions.get(started.id)).rejects.toMatchObject({ response: { status: 401 } })
})

test("Replicate's SDK reads the fake's list of predictions, page by page, the newest first", async () => {
  fake.listing.pageSize = 2
  const webhook = 'https://app.example/hook'
  for (const prompt of ['one', 'two', 'three'])
    await sdk.predictions.create({ model: 'acme/painter', input: { prompt }, webhook })
  const first: Page<Prediction> = await sdk.predictions.list()
  expect(first.results.map(({ input }) => input)).toEqual([{ prompt: 'three' }, { prompt: 'two' }])
  expect(first.results[0]).toMatchObject({ webhook, source: 'api', created_at: expect.any(String) })
  expect(first.next).toMatch(/^https:\/\/api\.replicate\.com\/v1\/predictions\?cursor=/)
})

test("Replicate's SDK finds the fake's webhooks genuine, by the secret that it hands out", async () => {
  const { id } = await sdk.predictions.create({ model: 'acme/painter', input: { prompt: 'a fox' } })
  const { key } = await sdk.webhooks.default.secret.get()
  const { headers, body } = fake.webhookOf(id)
  const webhook = { headers: { ...headers }, body: new TextDecoder().decode(body) }
  expect(await validateWebhook(webhook as never, key)).toBe(true)
  const provider = providerAt(fake.baseUrl, { webhookSecret: key })
  expect(await provider.readCallback?.({ headers, body })).toBe(id)
})

test("Replicate's SDK reads predictions of the replicate provider, and the provider those of the SDK", async () => {
  const provider = providerAt(fake.baseUrl)
  const report = await provider.submit(task, call())
  if (report.state !== 'running') throw new Error('The prediction is expected to run.')
  expect(await sdk.predictions.get(String(report.handle))).toMatchObject({
    status: 'processing',
    input: { prompt: 'a fox' },
  })
  const { id } = await sdk.wait(
    await sdk.predictions.create({ model: 'acme/painter', input: { prompt: 'a kite' } }),
    {
      interval: 5,
    },
  )
  const running: RunningTask = { ...task, handle: id }
  expect(await provider.poll(running, call())).toMatchObject({
    state: 'succeeded',
    outputs: [{ url: expect.any(String) }],
  })
})

test("the replicate provider sends the requests of Replicate's SDK without Prefer: wait", async () => {
  await sdk.predictions.create({ version: knownVersion, input: { prompt: 'a fox' } })
  await sdk.predictions.create({
    model: 'acme/painter',
    input: { prompt: 'a fox' },
    webhook: 'https://app.example/v1/callbacks/replicate/job/secret',
    webhook_events_filter: ['completed'],
  })
  const provider = providerAt(fake.baseUrl, { webhookSecret: fake.webhookSecret })
  await provider.submit({ ...task, model: 'versioned' }, call())
  const callbackUrl = 'https://app.example/v1/callbacks/replicate/job/secret'
  await provider.submit(task, { ...call(), callbackUrl })
  const [theirVersion, theirModel, ourVersion, ourModel] = fake.requests.map(
    ({ method, url, headers, json }) => ({
      method,
      path: url.pathname,
      body: json(),
      type: headers['content-type'],
      key: headers['authorization'],
      prefer: headers['prefer'],
    }),
  )
  expect(ourVersion).toEqual(theirVersion)
  expect(ourModel).toEqual(theirModel)
  expect(ourModel?.prefer).toBeUndefined()
})

test('the image and video models of the AI SDK run on the fake of Replicate', async () => {
  const image = await aiSdk().image('acme/painter').doGenerate({
    prompt: 'a fox',
    n: 1,
    size: undefined,
    aspectRatio: '1:1',
    seed: 7,
    files: undefined,
    mask: undefined,
    providerOptions: {},
  })
  expect((image.images[0] as Uint8Array).subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'))

  const video = aiSdk().video('acme/film')
  const started = await video.doStart!({
    prompt: 'the sea',
    n: 1,
    aspectRatio: '16:9',
    resolution: undefined,
    duration: 5,
    fps: undefined,
    seed: undefined,
    image: undefined,
    providerOptions: {},
  } as never)
  expect(await video.doStatus!({ operation: started.operation } as never)).toMatchObject({
    status: 'pending',
  })
  expect(await video.doStatus!({ operation: started.operation } as never)).toMatchObject({
    status: 'completed',
    videos: [{ url: expect.stringMatching(/^https:\/\/replicate\.delivery\/.*\.mp4$/) }],
  })
})
