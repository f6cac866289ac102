import { comfyuiProvider } from '@genmount/provider-comfyui'
import { expect, test } from 'vitest'
import { token } from './comfyui-cases.ts'
import { failedEntry, type HistoryEntry } from './comfyui-shapes.ts'
import { always, type Trouble, type VendorReply } from '../vendor-server.ts'
import { comfyuiWorld, models, nonsense, type WorldOptions } from './comfyui-world.ts'

interface Trial extends WorldOptions {
  readonly trouble?: readonly [where: string, Trouble]
  readonly ending?: (entry: HistoryEntry) => unknown
}

/** Runs one job to its end. */
async function outcomeOf({ trouble, ending, ...options }: Trial) {
  const { comfyui, create, finished } = await comfyuiWorld({ runMs: 5, ...options })
  if (trouble) comfyui.trouble(...trouble)
  if (ending) comfyui.ending = (_item, entry) => ending(entry) as HistoryEntry
  const job = await finished(await create())
  expect(comfyui.ledger).toHaveLength(1)
  return { verdict: job.error?.code ?? job.phase, message: job.error?.message, costUsd: job.costUsd }
}

/** Answers of ComfyUI that say nothing about a task, in addition to the answers that say nothing at any vendor. */
const passing: Readonly<Record<string, VendorReply>> = {
  'status 404': { status: 404 },
  'status 410': { status: 410 },
  'status 422': { status: 422 },
  ...nonsense,
}

for (const route of ['GET /queue', 'GET /history']) {
  test.each(Object.entries(passing))(
    `a ComfyUI job completes after ${route} was answered twice with %s`,
    async (_what, instead) => {
      expect(await outcomeOf({ trouble: [route, { instead, times: 2 }] })).toMatchObject({
        verdict: 'completed',
        costUsd: 0.04,
      })
    },
  )
}

test('a ComfyUI job fails as output_invalid when its file is gone, too large or empty', async () => {
  const view = (instead: VendorReply, provider = {}) =>
    outcomeOf({ trouble: ['GET /view', always({ instead })], provider })
  expect(await view({ status: 404, body: '' })).toMatchObject({ verdict: 'output_invalid' })
  expect(await view({ body: '' })).toMatchObject({ verdict: 'output_invalid' })
  expect(await view({ body: Buffer.alloc(50_000_000, '[') }, { maxOutputBytes: 1000 })).toMatchObject({
    verdict: 'output_invalid',
    message: expect.stringContaining('is too large: all outputs together may have 1000 bytes'),
  })
})

test('maxOutputBytes limits the files of a ComfyUI job together, and those that fit are delivered', async () => {
  const { comfyui, create, finished } = await comfyuiWorld({
    runMs: 5,
    provider: { maxOutputBytes: 300 },
  })
  expect(await finished(await create({ num_outputs: 2 }))).toMatchObject({
    phase: 'completed',
  })
  expect(await finished(await create({ num_outputs: 4 }))).toMatchObject({
    phase: 'completed',
    costUsd: 0.16,
    outputs: [{ contentType: 'image/png' }, { contentType: 'image/png' }],
  })
  expect(comfyui.ledger).toHaveLength(2)
})

const files = (...names: unknown[]) => ({
  '9': { images: names.map((filename) => ({ filename, subfolder: '', type: 'output' })) },
})

test.each<[string, (entry: HistoryEntry) => unknown]>([
  ['no outputs', (entry) => ({ ...entry, outputs: {} })],
  ['outputs that are null', (entry) => ({ ...entry, outputs: null })],
  ['previews alone', (entry) => ({ ...entry, outputs: { '12': entry.outputs['12'] } })],
  ['a file without a name', (entry) => ({ ...entry, outputs: files(null) })],
  ['texts for files', (entry) => ({ ...entry, outputs: { '9': { text: ['a.png'], images: 'a.png' } } })],
  ['a file at a script', (entry) => ({ ...entry, outputs: files('javascript:alert(1)') })],
  ['a file outside', (entry) => ({ ...entry, outputs: files('../../etc/passwd') })],
  ['an entry that is null', () => null],
])('a ComfyUI run that ends with %s fails the job as output_invalid', async (_what, ending) => {
  expect(await outcomeOf({ ending })).toMatchObject({ verdict: 'output_invalid', costUsd: 0 })
})

test('a ComfyUI run without a status in the history completes if it has files', async () => {
  expect(await outcomeOf({ ending: (entry) => ({ ...entry, status: null }) })).toMatchObject({
    verdict: 'completed',
  })
})

test('a ComfyUI run with an unknown status is polled until the deadline of the job', async () => {
  const ending = (entry: HistoryEntry) => ({ ...entry, status: { ...entry.status, status_str: 'paused' } })
  const service = { deadlineMs: 120_000 }
  expect(await outcomeOf({ ending, service })).toMatchObject({ verdict: 'deadline_exceeded' })
})

test('the error of a ComfyUI job contains the message of the failed node and nothing else', async () => {
  expect(await outcomeOf({ ending: failedEntry })).toEqual({
    verdict: 'provider_failed',
    message: 'KSampler (node 3): Allocation on device 0 would exceed allowed memory.',
    costUsd: 0,
  })
})

test('a ComfyUI run with an execution_error fails although its status is success', async () => {
  const ending = (entry: HistoryEntry) => {
    const { status, ...failed } = failedEntry(entry)
    return { ...failed, status: { ...status, status_str: 'success', completed: true } }
  }
  expect(await outcomeOf({ ending })).toMatchObject({ verdict: 'provider_failed' })
})

test('outputNodes limits the outputs of a ComfyUI job to the named nodes', async () => {
  const outputs = {
    ...files('a.png'),
    '10': { gifs: [{ filename: 'b.png', subfolder: 'x y', type: 'output' }] },
  }
  const { comfyui, create, finished } = await comfyuiWorld({
    runMs: 5,
    provider: { models: { 'comfy-image': { ...models['comfy-image']!, outputNodes: ['8', '9'] } } },
  })
  comfyui.ending = (_item, entry) => ({ ...entry, outputs: { ...outputs, '9': entry.outputs['9'] } })
  expect(await finished(await create())).toMatchObject({ phase: 'completed', outputs: [{}] })
})

test('a ComfyUI job has the files of the nodes that its workflow had at the submit, although the workflow has changed since', async () => {
  const { comfyui } = await comfyuiWorld({ runMs: 5 })
  const { signal } = new AbortController()
  const withFilesOf = (node: string) =>
    comfyuiProvider({
      baseUrl: comfyui.origin,
      token,
      models: { it: { ...models['comfy-image']!, outputNodes: [node] } },
    })
  const task = { jobId: 'job', model: 'it', input: { prompt: 'a fox' }, clientToken: crypto.randomUUID() }
  let report = await withFilesOf('9').submit(task, { signal })
  while (report.state === 'running')
    report = await withFilesOf('8').poll({ ...task, handle: report.handle }, { signal })
  expect(report).toMatchObject({ state: 'succeeded', outputs: [{}] })
})
