import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { OpenaiTokenPrices } from '../gpt-image/gpt-image-model.ts'
import type { OpenaiProviderOptions } from './openai-options.ts'
import { openaiProvider } from './openai-provider.ts'

const good = { token: 'sk-test', models: { 'gpt-image-2': {} } }

test.each<[string, Partial<Record<keyof OpenaiProviderOptions, unknown>>]>([
  ['token', { token: '' }],
  ['baseUrl', { baseUrl: 'api.openai.com' }],
  ['models', { models: {} }],
  ["models['a'].model", { models: { a: { model: '' } } }],
  ["models['a'].allowedProviderOptions", { models: { a: { allowedProviderOptions: ['n'] } } }],
  ["models['a'].price", { models: { a: { price: '5' } } }],
  ["models['a'].providerOptions must be", { models: { a: { providerOptions: 'b64_json' } } }],
  ["models['a'].providerOptions can't fix n", { models: { a: { providerOptions: { n: 4 } } } }],
  ["models['a'].inputs can't have size", { models: { a: { inputs: { size: v.string() } } } }],
  [
    "models['a'].inputs can't have frame_count",
    { models: { a: { inputs: { frame_count: v.number() }, providerOptions: { frame_count: 9 } } } },
  ],
])('openaiProvider throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => openaiProvider({ ...good, ...wrong } as OpenaiProviderOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test.each<[string, object, object, number]>([
  [
    'each kind of token has its own price',
    { textInput: 5, imageInput: 8, imageOutput: 30, textOutput: 10 },
    { input_tokens_details: { image_tokens: 600 }, output_tokens_details: { text_tokens: 1000 } },
    (400 * 5 + 600 * 8 + 3000 * 30 + 1000 * 10) / 1e6,
  ],
  [
    'text that the prices do not know costs what images do',
    { textInput: 5, imageInput: 8, imageOutput: 30 },
    { input_tokens_details: { image_tokens: 600 }, output_tokens_details: { text_tokens: 1000 } },
    (400 * 5 + 600 * 8 + 4000 * 30) / 1e6,
  ],
  [
    'output is taken for images where the usage does not tell',
    { textInput: 5, imageInput: 8, imageOutput: 30, textOutput: 10 },
    { input_tokens_details: null, output_tokens_details: null },
    (1000 * 5 + 4000 * 30) / 1e6,
  ],
])('%s', async (_what, price, details, costUsd) => {
  const usage = { input_tokens: 1000, output_tokens: 4000, ...details }
  const provider = openaiProvider({
    token: 'sk-test',
    models: { 'gpt-image-2': { price: price as OpenaiTokenPrices } },
    fetch: async () => Response.json({ data: [{ b64_json: 'AAAA' }], usage }),
  })
  const input = { prompt: 'a fox', num_outputs: 1 }
  const task = { jobId: 'job', model: 'gpt-image-2', input, clientToken: 'token' }
  expect(await provider.submit(task, { signal: new AbortController().signal })).toMatchObject({ costUsd })
})

test('openaiProvider sends the public id of a model, or its option model', async () => {
  const asked: unknown[] = []
  const provider = openaiProvider({
    ...good,
    models: { 'gpt-image-2': {}, fast: { model: 'gpt-image-1-mini', retentionDays: 1 } },
    headers: { 'OpenAI-Project': 'proj_1' },
    async fetch(url, init) {
      const headers = new Headers(init?.headers)
      const { model } = (await new Response(init?.body).json()) as { model: string }
      asked.push([String(url), model, headers.get('authorization'), headers.get('openai-project')])
      return Response.json({ data: [{ b64_json: 'AAAA' }] })
    },
  })
  expect(provider.models.map(({ id, retentionDays }) => [id, retentionDays])).toEqual([
    ['gpt-image-2', undefined],
    ['fast', 1],
  ])
  for (const { id } of provider.models) {
    const task = { jobId: 'job', model: id, input: { prompt: 'a fox', num_outputs: 1 }, clientToken: 'token' }
    const report = await provider.submit(task, { signal: new AbortController().signal })
    expect(report).toMatchObject({ state: 'succeeded', costUsd: undefined })
  }
  const url = 'https://api.openai.com/v1/images/generations'
  expect(asked).toEqual([
    [url, 'gpt-image-2', 'Bearer sk-test', 'proj_1'],
    [url, 'gpt-image-1-mini', 'Bearer sk-test', 'proj_1'],
  ])
})
