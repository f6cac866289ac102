import { expect, test } from 'vitest'
import { openaiResponsesProvider } from './openai-responses-provider.ts'
import type { OpenaiResponsesOptions } from './openai-responses-options.ts'

const caller = { model: 'gpt-5.6-luna' }
const good = { token: 'sk-test', models: { a: { caller } } }

test.each<[string, object]>([
  ['token', { token: '' }],
  ['fetchFile', { fetchFile: 'fetch' }],
  ["models['a'].caller", { models: { a: {} } }],
  ["models['a'].caller", { models: { a: undefined } }],
  ["models['a'].caller.model", { models: { a: { caller: { model: '' } } } }],
  ["models['a'].caller.price", { models: { a: { caller: { ...caller, price: { input: 1 } } } } }],
  ["models['a'].caller.price is missing", { models: { a: { caller, price: 0.04 } } }],
  ["models['a'].qualty is not an option", { models: { a: { caller, qualty: 'low' } } }],
])('openaiResponsesProvider throws a TypeError that names a wrong %s: %j', (name, wrong) => {
  expect(() => openaiResponsesProvider({ ...good, ...wrong } as OpenaiResponsesOptions)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
  )
})

test('openaiResponsesProvider reports a task with a wrong handle as unknown without a request to OpenAI', async () => {
  const provider = openaiResponsesProvider({
    ...good,
    fetch: () => Promise.reject(new Error('Nobody is to be asked.')),
  })
  const { signal } = new AbortController()
  for (const handle of [null, '../files', '', { id: 'resp_1' }]) {
    const task = { jobId: 'job', model: 'a', input: {}, clientToken: 'token', handle }
    expect(await provider.poll(task, { signal })).toMatchObject({ state: 'unknown' })
    expect(await provider.cancel?.(task, { signal })).toBeUndefined()
  }
})
