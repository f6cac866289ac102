import type { GuardedFetch } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import type { GeminiOmniProviderOptions } from './omni-options.ts'
import { geminiOmniProvider } from './omni-provider.ts'

const model = 'gemini-omni-1.2-flash'
const good = { token: 'AIza-test', models: { [model]: {} } }
const call = { signal: new AbortController().signal }

test.each<[string, Partial<Record<keyof GeminiOmniProviderOptions, unknown>>]>([
  ['token', { token: '' }],
  ['models', { models: {} }],
  ["models['a'].model", { models: { a: { model: '../files' } } }],
  ["models['a'].price", { models: { a: { price: { input: 1, textOutput: 1 } } } }],
])('geminiOmniProvider throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => geminiOmniProvider({ ...good, ...wrong } as GeminiOmniProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test('geminiOmniProvider asks the Gemini API for a film with the key in a header', async () => {
  const asked: unknown[] = []
  const provider = geminiOmniProvider({
    ...good,
    models: { film: { model, retentionDays: 1 } },
    async fetch(url, init) {
      asked.push([String(url), new Headers(init?.headers).get('x-goog-api-key')])
      return Response.json({ id: 'v1_a' })
    },
  })
  const input = { prompt: 'a fox', resolution: '720p', duration: 8 }
  await provider.submit({ jobId: 'job', model: 'film', input, clientToken: 'token' }, call)
  expect(asked).toEqual([['https://generativelanguage.googleapis.com/v1beta/interactions', 'AIza-test']])
  expect(provider.models).toMatchObject([{ id: 'film', outputKind: 'video', retentionDays: 1 }])
})

const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10)
const fetchedFor = (owners: unknown[]): GuardedFetch => {
  return async (url, options) => {
    owners.push(options?.owner)
    const body = new Blob([png]).stream()
    return { url: String(url), contentType: undefined, contentLength: 8, body, bytes: async () => png }
  }
}

test('geminiOmniProvider fetches pictures and films with the owner of their task, so that owners take turns', async () => {
  const owners: unknown[] = []
  const content = [{ type: 'video', uri: 'https://files.example/film' }]
  const provider = geminiOmniProvider({
    ...good,
    fetch: async () =>
      Response.json({ id: 'v1_a', status: 'completed', steps: [{ type: 'model_output', content }] }),
    fetchFile: fetchedFor(owners),
  })
  const input = { prompt: 'a fox', image: 'https://a.example/1', duration: 8 }
  const task = { jobId: 'job', model, input, clientToken: 'token', owner: 'owners-mark' }
  await provider.submit(task, call)
  await provider.poll({ ...task, handle: { interaction: 'v1_a' } }, call)
  expect(owners).toEqual(['owners-mark', 'owners-mark'])
})
