import { expect, test } from 'vitest'
import type { JsonObject } from '@genmount/core'
import { fakeModels, fakeProvider, manualClock } from '@genmount/testing'

const call = { signal: new AbortController().signal }

/** Validates as the service does, then submits. */
async function submit(input: JsonObject, provider = fakeProvider({ clock: manualClock() })) {
  const model = fakeModels.find(({ outputKind }) => outputKind === 'video')
  const checked = await model?.input['~standard'].validate({ prompt: 'a fox', ...input })
  if (!checked || checked.issues) throw new Error('the input is refused')
  const task = {
    jobId: 'job-1',
    model: 'fake-video',
    input: checked.value as JsonObject,
    clientToken: 'token-1',
  }
  return provider.submit(task, call)
}

test.each<[string, JsonObject, object]>([
  ['outputs', { num_outputs: 3 }, { state: 'succeeded', outputs: [{}, {}, {}], costUsd: 0.03 }],
  ['a delay', { delay_ms: 50 }, { state: 'running' }],
  [
    'a failure',
    { fail: 'content_policy', fail_message: 'No.' },
    { state: 'failed', code: 'content_policy', message: 'No.' },
  ],
  ['cost and time', { cost_usd: 1.25, inference_ms: 77 }, { costUsd: 1.25, inferenceMs: 77 }],
  [
    'output URLs',
    { output_urls: ['https://cdn.test/a.mp4'] },
    { outputs: [{ url: 'https://cdn.test/a.mp4' }] },
  ],
])('a client scripts %s through the input', async (_what, input, report) => {
  expect(await submit(input)).toMatchObject(report)
})

test('the input of a job makes the first submit to fakeProvider fail, and the second succeed', async () => {
  const provider = fakeProvider()
  await expect(submit({ submit_fault: 'reset' }, provider)).rejects.toThrow()
  expect(await submit({ submit_fault: 'reset' }, provider)).toMatchObject({ state: 'succeeded' })
  expect(provider.ledger).toHaveLength(1)
  await expect(submit({ answer_fault: 'server_error' })).rejects.toThrow()
})

test.each<[string, JsonObject]>([
  ['an unknown field', { colour: 'red' }],
  ['five outputs', { num_outputs: 5 }],
  ['an unknown failure', { fail: 'tired' }],
  ['a delay in words', { delay_ms: 'long' }],
])('the fake models refuse %s', async (_what, input) => {
  await expect(submit(input)).rejects.toThrow('the input is refused')
})
