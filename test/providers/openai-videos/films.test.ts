import type { CallbackNews, Json, JsonObject } from '@genmount/core'
import { openrouterProvider } from '@genmount/provider-openai/openrouter'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { openaiError } from '../openai/openai-words.ts'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import { always, fileReply, vendorServer, type VendorServer } from '../vendor-server.ts'
import { openaiVideosFake, token } from './openai-videos-fake.ts'
import {
  type OpenrouterFake,
  openrouterError,
  openrouterFake,
  token as openrouterKey,
} from './openrouter-fake.ts'
import { webhookSecret } from './openrouter-fake.ts'

let server: Awaited<ReturnType<typeof openaiVideosFake>>
let router: OpenrouterFake
/** Another host, such as a storage. */
let elsewhere: VendorServer
let runs: ServiceWorld | undefined

beforeEach(async () => {
  server = await openaiVideosFake({ polls: 1 })
  router = await openrouterFake({ polls: 1 })
  elsewhere = await vendorServer(() => fileReply('film.mp4'))
})
afterEach(async () => {
  await runs?.close()
  await Promise.all([server, router, elsewhere].map(({ close }) => close()))
})

const atServer = () =>
  openaiVideosProvider({
    token,
    baseUrl: server.baseUrl,
    models: { film: { model: 'sora-2', price: 0.1, typicalMs: 1 } },
    fetchFile,
  })
const atRouter = (more: object = { webhookSecret }) =>
  openrouterProvider({
    token: openrouterKey,
    baseUrl: router.baseUrl,
    models: { film: { model: 'google/veo-3.1', typicalMs: 1 } },
    fetchFile,
    ...more,
  })

async function finished(provider: ReturnType<typeof atServer>, input: JsonObject = { prompt: 'a fox' }) {
  runs = jobRuns(provider)
  return runs.finished(await runs.create('film', input))
}

test('a film is downloaded with the key, stored, and costs what its seconds cost if the server does not say it', async () => {
  const job = await finished(atServer(), { prompt: 'a fox', duration: 8 })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.8, outputs: [{ contentType: 'video/mp4' }] })
  expect(await runs!.outputs(job)).toEqual([fakeFile('video').bytes])
})

test('a film of OpenRouter costs what OpenRouter says, whether it succeeds or fails', async () => {
  expect(await finished(atRouter())).toMatchObject({ phase: 'completed', costUsd: 0.5 })
  await runs!.close()
  const usage = { cost: 0.12, is_byok: false }
  router.trouble(
    'GET /api/v1/videos/',
    always({ instead: { json: { id: 'x', status: 'failed', error: 'Out of memory', usage } } }),
  )
  const failure = { code: 'provider_failed', message: 'Out of memory' }
  expect(await finished(atRouter())).toMatchObject({ phase: 'failed', costUsd: 0.12, error: failure })
})

test.each([
  ['a prompt that moderation refuses', { prompt: 'forbidden' }],
  ['a film that moderation refuses', { prompt: 'refused' }],
])('%s fails the job as content_policy', async (_what, input) => {
  expect((await finished(atServer(), input)).error).toMatchObject({
    code: 'content_policy',
    message: expect.stringContaining('moderation'),
  })
})

test('a film that OpenRouter refuses by its policy fails the job as content_policy', async () => {
  expect((await finished(atRouter(), { prompt: 'refused' })).error).toEqual({
    code: 'content_policy',
    message: 'Content policy violation',
  })
})

test.each(['cancelled', 'expired'])('a film that has %s at the vendor fails the job', async (status) => {
  router.trouble('GET /api/v1/videos/', always({ instead: { json: { id: 'x', status } } }))
  expect(await finished(atRouter())).toMatchObject({ phase: 'failed', error: { code: 'provider_failed' } })
})

test('an account without credit fails the job, and the owner does not read about the account', async () => {
  router.trouble('POST', {
    instead: openrouterError(402, 'Insufficient credits. Add more at openrouter.ai.'),
  })
  const { error } = await finished(atRouter())
  expect(error).toEqual({
    code: 'provider_rejected',
    message: 'The account of this service at the provider has no credit left.',
    detail: expect.stringMatching(/^HTTP 402/),
  })
})

test('a completed film whose content is missing for a while is delivered when it is there', async () => {
  server.trouble('/content', { instead: openaiError(404, 'Not yet.', null), times: 4 })
  expect(await finished(atServer())).toMatchObject({ phase: 'completed' })
  expect(server.ledger).toHaveLength(1)
})

test('a page instead of a film is not delivered, and the film is fetched again', async () => {
  server.trouble('/content', { instead: { body: '<html>Please wait</html>' }, times: 2 })
  const job = await finished(atServer())
  expect(await runs!.outputs(job)).toEqual([fakeFile('video').bytes])
})

test('a redirect of the content to another host is followed without the key', async () => {
  const location = `${elsewhere.origin}/film.mp4?signature=abc`
  server.trouble('/content', always({ instead: { status: 302, headers: { location } } }))
  const job = await finished(atServer())
  expect(await runs!.outputs(job)).toEqual([fakeFile('video').bytes])
  expect(elsewhere.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined])
})

test('a link to another host is fetched without the key', async () => {
  const url = `${elsewhere.origin}/film.mp4`
  const completed = { id: 'x', status: 'completed', unsigned_urls: [url], usage: { cost: 0.5 } }
  router.trouble('GET /api/v1/videos/', always({ instead: { json: completed } }))
  const job = await finished(atRouter())
  expect(await runs!.outputs(job)).toEqual([fakeFile('video').bytes])
  expect(elsewhere.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined])
})

const poll = async (provider: ReturnType<typeof atServer>, json: object) => {
  router.trouble('GET /api/v1/videos/x', { instead: { json } })
  const task = { jobId: 'job', model: 'film', input: { prompt: 'a fox' }, clientToken: 'token' }
  const call = { signal: new AbortController().signal }
  return provider.poll({ ...task, handle: { video: 'x' } }, call)
}

test('signed URLs of OpenRouter are delivered as they are, and no film is downloaded', async () => {
  const urls = ['https://storage.example.com/film.mp4?signature=abc']
  const unsigned_urls = ['https://openrouter.ai/api/v1/videos/x/content?index=0']
  expect(await poll(atRouter(), { id: 'x', status: 'completed', urls, unsigned_urls })).toMatchObject({
    state: 'succeeded',
    outputs: [{ url: urls[0] }],
  })
})

test('behind a gateway, the content of a film is read from the gateway, whose key it needs', async () => {
  const unsigned_urls = ['https://openrouter.ai/api/v1/videos/x/content?index=1']
  router.trouble('GET /api/v1/videos/x/content?index=1', { instead: fileReply('film.mp4') })
  expect(await poll(atRouter(), { id: 'x', status: 'completed', unsigned_urls })).toMatchObject({
    state: 'succeeded',
    outputs: [{ bytes: fakeFile('video').bytes }],
  })
})

test('the webhook of a failed film ends the job, and that of a finished one makes the service poll', async () => {
  const provider = atRouter()
  const task = { jobId: 'job', model: 'film', clientToken: 'token' }
  const call = { signal: new AbortController().signal }
  const read = async (prompt: string): Promise<Json | CallbackNews> => {
    const report = await provider.submit({ ...task, input: { prompt } }, call)
    const handle = report.state === 'running' ? report.handle : null
    router.webhook.finish()
    return provider.readCallback!(router.webhook.signed(Date.now()), { ...task, input: { prompt }, handle })
  }
  expect(await read('a fox')).toEqual({ id: router.ledger[0]!.id, video: router.ledger[0]!.id })
  // The answer to the submit was lost, and the webhook names the film.
  const lost = { ...task, input: { prompt: 'a fox' }, handle: null }
  expect(await provider.readCallback!(router.webhook.signed(Date.now()), lost)).toEqual({
    id: router.ledger[0]!.id,
    video: router.ledger[0]!.id,
  })
  expect(await read('refused')).toMatchObject({
    handle: { id: router.ledger[1]!.id, video: router.ledger[1]!.id },
    report: { state: 'failed', code: 'content_policy' },
  })
})

test('without the secret, a webhook of OpenRouter only makes the service poll', () => {
  const provider = atRouter({})
  expect([provider.callbacksAreHints, provider.readCallback]).toEqual([true, undefined])
})

test('a film is stopped by DELETE where the server wants it, and is then unknown there, which ends a canceled job', async () => {
  const models = { film: { model: 'sora-2' } }
  const provider = openaiVideosProvider({ token, baseUrl: server.baseUrl, models, cancel: 'delete' })
  const task = { jobId: 'job', model: 'film', input: { prompt: 'a fox' }, clientToken: 'token' }
  const call = { signal: new AbortController().signal }
  const begun = await provider.submit(task, call)
  const running = { ...task, handle: begun.state === 'running' ? begun.handle : null }
  await provider.cancel!(running, call)
  expect(server.films.size).toBe(0)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'unknown' })
  await provider.cancel!(running, call)
})
