import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openaiCompatible } from './openai-compatible.ts'
import type { OpenaiCompatibleOptions } from './openai-compatible-options.ts'

const good = { baseUrl: 'http://127.0.0.1:8080/v1', models: { a: {} } }

test.each<[string, object]>([
  ['baseUrl', { baseUrl: undefined }],
  ['baseUrl', { baseUrl: '127.0.0.1:8080' }],
  ['token', { token: 'two words' }],
  ['name', { name: 'my server' }],
  ['edits', { edits: 'multipart' }],
  ['fetchFile', { fetchFile: 'fetch' }],
  ['callTimeoutMs', { callTimeoutMs: 0 }],
  ["models['a'].price", { models: { a: { price: '5' } } }],
  ["models['a'].providerOptions must be", { models: { a: { providerOptions: 'b64_json' } } }],
  ["models['a'].providerOptions can't fix n", { models: { a: { providerOptions: { n: 4 } } } }],
  ["models['a'].inputs can't have size", { models: { a: { inputs: { size: v.string() } } } }],
  ["models['a'].allowedProviderOptions", { models: { a: { allowedProviderOptions: ['stream'] } } }],
])('openaiCompatible throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => openaiCompatible({ ...good, ...wrong } as OpenaiCompatibleOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test('openaiCompatible takes a name and a callTimeoutMs for each server', () => {
  expect(openaiCompatible(good)).toMatchObject({ name: 'openai-compatible', callTimeoutMs: 300_000 })
  expect(openaiCompatible({ ...good, name: 'slow', callTimeoutMs: 5 })).toMatchObject({
    name: 'slow',
    callTimeoutMs: 5,
  })
})

test('openaiCompatible sends no authorization without a token', async () => {
  const seen: (string | null)[] = []
  const provider = openaiCompatible({
    ...good,
    async fetch(_url, init) {
      seen.push(new Headers(init?.headers).get('authorization'))
      return Response.json({ data: [{ b64_json: 'AAAA' }] })
    },
  })
  const task = { jobId: 'job', model: 'a', input: { prompt: 'a fox' }, clientToken: 'token' }
  const report = await provider.submit(task, { signal: new AbortController().signal })
  expect([report.state, seen]).toEqual(['succeeded', [null]])
})
