import type { GuardedFetch } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import type { VeoProviderOptions } from './veo-options.ts'
import { veoProvider } from './veo-provider.ts'

const model = 'veo-3.1-generate-001'
const base = 'https://gateway.example/v1beta'
const good = { token: 'gateway-key', baseUrl: base, models: { [model]: {} } }
const call = { signal: new AbortController().signal }

test.each<[string, Partial<Record<keyof VeoProviderOptions, unknown>>]>([
  ['token', { token: '' }],
  ['baseUrl', { baseUrl: undefined }],
  ['models', { models: {} }],
  ["models['a'].model", { models: { a: { model: '../files' } } }],
  ["models['a'].price", { models: { a: { price: { input: 1, textOutput: 1, imageOutput: 1 } } } }],
])('veoProvider throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => veoProvider({ ...good, ...wrong } as VeoProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test("requests go to the gateway with its key in a header, and the user's own headers", async () => {
  const asked: unknown[] = []
  const provider = veoProvider({
    ...good,
    headers: { 'x-team': 'media' },
    async fetch(url, init) {
      const headers = new Headers(init?.headers)
      asked.push([String(url), headers.get('x-goog-api-key'), headers.get('x-team')])
      return Response.json({ name: `models/${model}/operations/a1` })
    },
  })
  const input = { prompt: 'a fox', resolution: '720p', duration: 8, num_outputs: 1 }
  const task = { jobId: 'job', model, input, clientToken: 'token' }
  const handle = { operation: `models/${model}/operations/a1` }
  expect(await provider.submit(task, call)).toEqual({ state: 'running', handle })
  expect(await provider.poll({ ...task, handle }, call)).toEqual({ state: 'running', handle })
  expect(asked).toEqual([
    [`${base}/models/${model}:predictLongRunning`, 'gateway-key', 'media'],
    [`${base}/models/${model}/operations/a1`, 'gateway-key', 'media'],
  ])
})

test.each([null, 'x', { operation: '../../v1/secrets' }, { operation: 'https://evil.example/' }, {}])(
  'veoProvider reports a task with the handle %j as unknown without a request',
  async (handle) => {
    const provider = veoProvider({
      ...good,
      fetch: () => Promise.reject(new Error('Nothing is to be asked.')),
    })
    const task = { jobId: 'job', model, input: {}, clientToken: 'token', handle }
    expect(await provider.poll(task, call)).toMatchObject({ state: 'unknown' })
  },
)

const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
const fetchedFor = (owners: unknown[]): GuardedFetch => {
  return async (url, options) => {
    owners.push(options?.owner)
    const body = new Blob([png]).stream()
    return { url: String(url), contentType: undefined, contentLength: 8, body, bytes: async () => png }
  }
}

test('veoProvider fetches pictures and films with the owner of their task, so that owners take turns', async () => {
  const owners: unknown[] = []
  const generatedSamples = [{ video: { uri: 'https://files.example/film' } }]
  const provider = veoProvider({
    ...good,
    fetch: async (_url, init) =>
      Response.json(
        init?.method === 'GET'
          ? { done: true, response: { generateVideoResponse: { generatedSamples } } }
          : { name: 'models/veo/operations/1' },
      ),
    fetchFile: fetchedFor(owners),
  })
  const input = { prompt: 'a fox', image: 'https://a.example/1' }
  const task = { jobId: 'job', model, input, clientToken: 'token', owner: 'owners-mark' }
  await provider.submit(task, call)
  await provider.poll({ ...task, handle: { operation: 'models/veo/operations/1' } }, call)
  expect(owners).toEqual(['owners-mark', 'owners-mark'])
})

test.each<[string, object]>([
  [
    'a film beside it is missing',
    { generatedSamples: [{ video: {} }, { video: { uri: 'https://files.example/1' } }] },
  ],
  [
    'a film beside it has another form',
    { generatedSamples: [null, { video: { uri: 'https://files.example/1' } }] },
  ],
  [
    'what is told beside it has another form',
    { generatedSamples: [{ video: { uri: 'https://files.example/1' } }], raiMediaFilteredReasons: 'none' },
  ],
])('a film that is paid for is kept when %s', async (_what, generateVideoResponse) => {
  const provider = veoProvider({
    ...good,
    fetch: async () => Response.json({ done: true, error: null, response: { generateVideoResponse } }),
    fetchFile: fetchedFor([]),
  })
  const input = { prompt: 'a fox', duration: 8 }
  const handle = { operation: 'models/veo/operations/1' }
  const report = await provider.poll({ jobId: 'job', model, input, clientToken: 'token', handle }, call)
  expect(report).toMatchObject({ state: 'succeeded', outputs: [{ bytes: png }] })
})
