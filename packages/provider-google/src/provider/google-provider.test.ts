import { expect, test } from 'vitest'
import type { GoogleTokenPrices } from './gemini-tokens.ts'
import type { GoogleProviderOptions } from './google-options.ts'
import { googleProvider } from './google-provider.ts'

const good = { token: 'AIza-test', models: { 'veo-3.1-generate-preview': {} } }
const call = { signal: new AbortController().signal }

test.each<[string, Partial<Record<keyof GoogleProviderOptions, unknown>>]>([
  ['token', { token: '' }],
  ['baseUrl', { baseUrl: 'generativelanguage.googleapis.com' }],
  ['models', { models: {} }],
  ["models['a'].model", { models: { a: { model: '../files' } } }],
  ["models['a'].videoApi", { models: { a: { videoApi: 'veo' } } }],
  ["models['gemini-omni'].price", { models: { 'gemini-omni': { price: { input: 1, textOutput: 1 } } } }],
  ["models['a'].outputKind", { models: { a: { outputKind: 'audio' } } }],
  ["models['veo'].price", { models: { veo: { price: { input: 1, textOutput: 1, imageOutput: 1 } } } }],
  ["models['a'].price", { models: { a: { price: '5' } } }],
])('a wrong %s is told when the provider is made: %j', (name, wrong) => {
  expect(() => googleProvider({ ...good, ...wrong } as GoogleProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test("what a model makes follows from Google's name for it, unless it is told", () => {
  const models = {
    film: { model: 'veo-3.1-generate-preview' },
    'gemini-3.1-flash-image': {},
    'gemini-omni-1.1-flash': {},
    next: { model: 'next', outputKind: 'video', retentionDays: 1 },
  } as const
  const provider = googleProvider({ ...good, models })
  expect(provider.models.map(({ id, outputKind, retentionDays }) => [id, outputKind, retentionDays])).toEqual(
    [
      ['film', 'video', undefined],
      ['gemini-3.1-flash-image', 'image', undefined],
      ['gemini-omni-1.1-flash', 'video', undefined],
      ['next', 'video', 1],
    ],
  )
})

test.each([
  [{ model: 'gemini-omni-1.1-flash' }, '/v1beta/interactions'],
  [{ model: 'next', outputKind: 'video' }, '/v1beta/interactions'],
  [{ model: 'veo-3.1-generate-preview' }, '/v1beta/models/veo-3.1-generate-preview:predictLongRunning'],
  [
    { model: 'google-veo', outputKind: 'video', videoApi: 'operations' },
    '/v1beta/models/google-veo:predictLongRunning',
  ],
] as const)('a film of %j is asked for at %s', async (film, path) => {
  const asked: string[] = []
  const provider = googleProvider({
    ...good,
    models: { film },
    async fetch(url) {
      asked.push(new URL(String(url)).pathname)
      return Response.json({ id: 'v1_a', name: 'operations/a' })
    },
  })
  const input = { prompt: 'a fox', resolution: '720p', duration: 8, num_outputs: 1 }
  await provider.submit({ jobId: 'job', model: 'film', input, clientToken: 'token' }, call)
  expect(asked).toEqual([path])
})

test("requests go to the Gemini API with the key in a header, and the user's own headers", async () => {
  const asked: unknown[] = []
  const provider = googleProvider({
    ...good,
    headers: { 'x-goog-user-project': 'p1' },
    async fetch(url, init) {
      const headers = new Headers(init?.headers)
      asked.push([String(url), headers.get('x-goog-api-key'), headers.get('x-goog-user-project')])
      return Response.json({ name: 'models/veo-3.1-generate-preview/operations/a1' })
    },
  })
  const input = { prompt: 'a fox', resolution: '720p', duration: 8, num_outputs: 1 }
  const task = { jobId: 'job', model: 'veo-3.1-generate-preview', input, clientToken: 'token' }
  const report = await provider.submit(task, call)
  expect(report).toEqual({
    state: 'running',
    handle: { operation: 'models/veo-3.1-generate-preview/operations/a1' },
  })
  const handle = { operation: 'models/veo-3.1-generate-preview/operations/a1' }
  expect(await provider.poll({ ...task, handle }, call)).toEqual({ state: 'running', handle })
  const base = 'https://generativelanguage.googleapis.com/v1beta/models/veo-3.1-generate-preview'
  expect(asked).toEqual([
    [`${base}:predictLongRunning`, 'AIza-test', 'p1'],
    [`${base}/operations/a1`, 'AIza-test', 'p1'],
  ])
})

test.each([null, 'x', { operation: '../../v1/secrets' }, { operation: 'https://evil.example/' }, {}])(
  'handle %j leads nowhere',
  async (handle) => {
    const provider = googleProvider({
      ...good,
      fetch: () => Promise.reject(new Error('Nothing is to be asked.')),
    })
    const task = { jobId: 'job', model: 'veo-3.1-generate-preview', input: {}, clientToken: 'token', handle }
    expect(await provider.poll(task, call)).toMatchObject({ state: 'unknown' })
  },
)

test('an image has no task to ask after', async () => {
  const provider = googleProvider({ ...good, models: { 'gemini-3.1-flash-image': {} } })
  const task = {
    jobId: 'job',
    model: 'gemini-3.1-flash-image',
    input: {},
    clientToken: 'token',
    handle: null,
  }
  expect(await provider.poll(task, call)).toMatchObject({ state: 'unknown' })
})

test.each<[string, object | null, number]>([
  [
    'each kind of token has its own price, and thinking that of text',
    [
      { modality: 'IMAGE', tokenCount: 1120 },
      { modality: 'TEXT', tokenCount: 80 },
    ],
    (300 * 0.5 + 1120 * 60 + 130 * 3) / 1e6,
  ],
  [
    'the whole answer is taken for an image where Google does not tell its kinds apart',
    null,
    (300 * 0.5 + 1200 * 60 + 50 * 3) / 1e6,
  ],
])('%s', async (_what, candidatesTokensDetails, costUsd) => {
  const price: GoogleTokenPrices = { input: 0.5, textOutput: 3, imageOutput: 60 }
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
  const usageMetadata = {
    promptTokenCount: 300,
    candidatesTokenCount: 1200,
    thoughtsTokenCount: 50,
    candidatesTokensDetails,
  }
  const provider = googleProvider({
    token: 'AIza-test',
    models: { 'gemini-3.1-flash-image': { price } },
    fetch: async () => Response.json({ candidates: [{ content: { parts } }], usageMetadata }),
  })
  const input = { prompt: 'a fox' }
  const task = { jobId: 'job', model: 'gemini-3.1-flash-image', input, clientToken: 'token' }
  expect(await provider.submit(task, call)).toMatchObject({ state: 'succeeded', costUsd })
})

test('pictures and films are fetched for the owner of their task, for the turns of those who wait', async () => {
  const owners: unknown[] = []
  const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
  const uri = 'https://files.example/film'
  const provider = googleProvider({
    token: 'AIza-test',
    models: { 'veo-3.1-generate-preview': {}, 'gemini-3.1-flash-image': {} },
    fetch: async (_url, init) =>
      init?.method === 'GET'
        ? Response.json({
            done: true,
            response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
          })
        : Response.json({ name: 'models/veo/operations/1' }),
    async fetchFile(url, options) {
      owners.push(options?.owner)
      const body = new Blob([png]).stream()
      return { url: String(url), contentType: undefined, contentLength: 8, body, bytes: async () => png }
    },
  })
  const input = { prompt: 'a fox', image: 'https://a.example/1' }
  const shared = { jobId: 'job', input, clientToken: 'token', owner: 'owners-mark' }
  const film = { ...shared, model: 'veo-3.1-generate-preview' }
  await provider.submit(film, call)
  await provider.submit({ ...shared, model: 'gemini-3.1-flash-image' }, call)
  await provider.poll({ ...film, handle: { operation: 'models/veo/operations/1' } }, call)
  expect(owners).toEqual(['owners-mark', 'owners-mark', 'owners-mark'])
})

test('the pictures and the film of an interaction are fetched for the owner of their task too', async () => {
  const owners: unknown[] = []
  const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
  const content = [{ type: 'video', uri: 'https://files.example/film' }]
  const provider = googleProvider({
    token: 'AIza-test',
    models: { 'gemini-omni-1.1-flash': {} },
    fetch: async () =>
      Response.json({ id: 'v1_a', status: 'completed', steps: [{ type: 'model_output', content }] }),
    async fetchFile(url, options) {
      owners.push(options?.owner)
      const body = new Blob([png]).stream()
      return { url: String(url), contentType: undefined, contentLength: 8, body, bytes: async () => png }
    },
  })
  const input = { prompt: 'a fox', image: 'https://a.example/1', duration: 8 }
  const model = 'gemini-omni-1.1-flash'
  const task = { jobId: 'job', model, input, clientToken: 'token', owner: 'owners-mark' }
  await provider.submit(task, call)
  await provider.poll({ ...task, handle: { interaction: 'v1_a' } }, call)
  expect(owners).toEqual(['owners-mark', 'owners-mark'])
})
