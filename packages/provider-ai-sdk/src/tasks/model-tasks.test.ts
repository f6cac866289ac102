import { expect, test } from 'vitest'
import type { ModelTaskOptions } from './model-task-options.ts'
import { modelTasks } from './model-tasks.ts'

const { signal } = new AbortController()
const task = { jobId: 'j', model: 'it', clientToken: 't', input: { size: 2 } }
const picture = new Uint8Array([1])

function imageModel(changes: object = {}) {
  const calls: object[] = []
  const model = {
    specificationVersion: 'v4',
    provider: 'acme',
    modelId: 'acme-1',
    maxImagesPerCall: 4,
    async doGenerate(call: object) {
      calls.push(call)
      return { images: [picture, picture], usage: { outputTokens: 7 } }
    },
    ...changes,
  }
  return { model, calls }
}

test('a model without options is called with only what the vendor requires', async () => {
  const { model, calls } = imageModel()
  const report = await modelTasks(model).submit(task, { prompt: 'a fox' }, signal)
  expect(report).toEqual({ state: 'succeeded', outputs: [{ bytes: picture }, { bytes: picture }] })
  expect(calls).toEqual([{ n: 1, providerOptions: {}, prompt: 'a fox', abortSignal: signal }])
})

test.each<[string, ModelTaskOptions['costOf'], number | undefined]>([
  ['by the input', ({ input }) => Number(input['size']) * 0.25, 0.5],
  ['by what the vendor has counted', (_task, { usage }) => usage.outputTokens / 10, 0.7],
  ['by the number of outputs', (_task, _result, outputs) => outputs * 0.1, 0.2],
  ['by nothing that is there', (_task, { providerMetadata }) => providerMetadata.acme.price, undefined],
  ['by what is no number', () => Number.NaN, undefined],
])('the cost of a task is calculated %s', async (_by, costOf, costUsd) => {
  const report = await modelTasks(imageModel().model, { costOf }).submit(task, { prompt: 'a fox' }, signal)
  expect(report).toMatchObject({ state: 'succeeded', costUsd })
})

test.each([
  ['files', { supportsFileInputs: false }],
  ['mask', { supportsMaskInputs: Promise.resolve(false) }],
])('a call with %s is refused if the model does not support it', async (option, changes) => {
  const { model, calls } = imageModel(changes)
  const report = await modelTasks(model).submit(task, { [option]: [picture] }, signal)
  expect(report).toMatchObject({ state: 'failed', code: 'provider_rejected' })
  expect(calls).toEqual([])
})

test('a model that makes its output within one call has no tasks to poll', async () => {
  const { poll } = modelTasks(imageModel().model)
  await expect(poll({ ...task, handle: { operation: 1 } }, signal)).rejects.toThrow('has no doStatus')
})
