import type { GuardedFetch } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import type { GoogleProviderOptions, GoogleTokenPrices } from './google-options.ts'
import { googleProvider } from './google-provider.ts'

const good = { token: 'AIza-test', models: { 'gemini-nano-banana-2.1': {} } }
const call = { signal: new AbortController().signal }

test.each<[string, Partial<Record<keyof GoogleProviderOptions, unknown>>]>([
  ['token', { token: '' }],
  ['baseUrl', { baseUrl: 'generativelanguage.googleapis.com' }],
  ['models', { models: {} }],
  ["models['a'].model", { models: { a: { model: '../files' } } }],
  ["models['a'].price", { models: { a: { price: '5' } } }],
  ["models['a'].price", { models: { a: { price: { input: 1, textOutput: 1, videoOutput: 1 } } } }],
])('googleProvider throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => googleProvider({ ...good, ...wrong } as GoogleProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test.each([
  ['gemini-omni-1.2-flash', 'geminiOmniProvider of @genmount/provider-google/omni'],
  ['veo-3.1-generate-001', 'Google has ended it; @genmount/provider-fal and'],
])('a model that makes films, such as %s, is refused with what to use instead', (model, instead) => {
  expect(() => googleProvider({ ...good, models: { film: { model } } })).toThrow(instead)
})

test("requests go to the Gemini API with the key in a header, and the user's own headers", async () => {
  const asked: unknown[] = []
  const provider = googleProvider({
    ...good,
    headers: { 'x-goog-user-project': 'p1' },
    async fetch(url, init) {
      const headers = new Headers(init?.headers)
      asked.push([String(url), headers.get('x-goog-api-key'), headers.get('x-goog-user-project')])
      return Response.json({})
    },
  })
  const task = { jobId: 'job', model: 'gemini-nano-banana-2.1', input: { prompt: 'a' }, clientToken: 'token' }
  await provider.submit(task, call)
  const base = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-nano-banana-2.1'
  expect(asked).toEqual([[`${base}:generateContent`, 'AIza-test', 'p1']])
})

test('a poll of googleProvider reports an unknown task, as images have no tasks', async () => {
  const provider = googleProvider(good)
  const task = {
    jobId: 'job',
    model: 'gemini-nano-banana-2.1',
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
    models: { 'gemini-nano-banana-2.1': { price } },
    fetch: async () => Response.json({ candidates: [{ content: { parts } }], usageMetadata }),
  })
  const input = { prompt: 'a fox' }
  const task = { jobId: 'job', model: 'gemini-nano-banana-2.1', input, clientToken: 'token' }
  const tokens = { input: 300, output: 1250 }
  expect(await provider.submit(task, call)).toMatchObject({ state: 'succeeded', costUsd, tokens })
})

test.each<[string, object]>([
  [
    'the reason why it ended is a number',
    { finishReason: 1, content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } },
  ],
  ['it has no media type', { content: { parts: [{ inlineData: { data: 'AAAA' } }] } }],
  [
    'it is not said whether it is a thought',
    { content: { parts: [{ thought: null, inlineData: { data: 'AAAA' } }] } },
  ],
])('an image that is paid for is kept when %s', async (_what, candidate) => {
  const provider = googleProvider({ ...good, fetch: async () => Response.json({ candidates: [candidate] }) })
  const input = { prompt: 'a fox' }
  const task = { jobId: 'job', model: 'gemini-nano-banana-2.1', input, clientToken: 'token' }
  expect(await provider.submit(task, call)).toMatchObject({ state: 'succeeded', outputs: [{}] })
})

const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
const fetchedFor = (owners: unknown[]): GuardedFetch => {
  return async (url, options) => {
    owners.push(options?.owner)
    const body = new Blob([png]).stream()
    return { url: String(url), contentType: undefined, contentLength: 8, body, bytes: async () => png }
  }
}

test('pictures are fetched for the owner of their task, for the turns of those who wait', async () => {
  const owners: unknown[] = []
  const provider = googleProvider({
    ...good,
    fetch: async () => Response.json({}),
    fetchFile: fetchedFor(owners),
  })
  const input = { prompt: 'a fox', image: 'https://a.example/1' }
  const task = { jobId: 'job', input, clientToken: 'token', owner: 'owners-mark' }
  await provider.submit({ ...task, model: 'gemini-nano-banana-2.1' }, call)
  expect(owners).toEqual(['owners-mark'])
})
