import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { predictionIn, reportOf } from './prediction.ts'
import type { OfferedModel } from './replicate-options.ts'

const input = { prompt: 'a fox', resolution: '720p' }

function report(
  fields: object,
  { price, priceUnit = 'second' }: Partial<Pick<OfferedModel, 'price' | 'priceUnit'>> = {},
) {
  const outputKind = 'image'
  return reportOf({ id: 'p1', status: 'succeeded', ...fields }, { price, priceUnit, outputKind }, input)
}

const [first, second] = ['https://replicate.delivery/a.png', 'https://replicate.delivery/b.png']

test.each([
  ['an address', first, [{ url: first }]],
  ['a list', [first, second], [{ url: first }, { url: second }]],
  ['a list with gaps and words', [null, 'seed 7', second], [{ url: second }]],
  ['a file object', { url: first, size: 7 }, [{ url: first }]],
  ['a list of file objects', [{ url: first }, { url: second }], [{ url: first }, { url: second }]],
  ['an object with names', { image: first, seed: 7, masks: [second] }, [{ url: first }, { url: second }]],
  ['a data URI', 'data:image/png;base64,AAEC', [{ bytes: new Uint8Array([0, 1, 2]) }]],
])('the files of a succeeded prediction are the outputs when its output is %s', (_name, output, outputs) => {
  expect(report({ output })).toMatchObject({ state: 'succeeded', outputs })
})

test('a Replicate output that is nested too deeply is no output', () => {
  expect(report({ output: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) })).toMatchObject({
    outputs: [],
  })
  expect(report({ output: 'data:image/png;base64,A' })).toMatchObject({ code: 'output_invalid' })
})

test.each([
  [{ price: 0.001 }, 0.0025],
  [{ price: 0.04, priceUnit: 'output' }, 0.08],
  [{ price: { by: 'resolution', usd: { '720p': 0.1 } } }, 0.25],
  [{ price: ({ units }: { units: number }) => units * 2 }, 5],
  [{}, undefined],
] as const)('a prediction of 2.5 s and two files at %j costs %d', (options, costUsd) => {
  const done = report({ output: [first, second], metrics: { predict_time: 2.5 } }, options)
  expect(done).toMatchObject({ state: 'succeeded', inferenceMs: 2500 })
  expect(done).toHaveProperty('costUsd', costUsd)
})

test('a failed prediction costs its seconds, and nothing where outputs are paid for', () => {
  const failed = { status: 'failed', error: 'out of memory', metrics: { predict_time: 2.5 } }
  expect(report(failed, { price: 0.001 })).toMatchObject({ code: 'provider_failed', costUsd: 0.0025 })
  expect(report(failed, { price: 0.04, priceUnit: 'output' })).toMatchObject({ costUsd: 0 })
})

test('a prediction without a time has no cost', () => {
  for (const metrics of [undefined, null, {}, { predict_time: 'long' }])
    expect(report({ output: first, metrics }, { price: 1 })).toMatchObject({
      state: 'succeeded',
      costUsd: undefined,
      inferenceMs: undefined,
    })
})

test.each(['starting', 'processing', 'queued', 'SUCCEEDED', ''])(
  'a prediction with the status %j is reported as running',
  (status) => {
    expect(report({ status, output: first })).toEqual({ state: 'running', handle: 'p1' })
  },
)

test.each([
  'NSFW content detected. Try running it again, or try a different prompt.',
  'The input or output was flagged as sensitive. (E005)',
  'Request moderated',
  'Blocked by the content policy of the model',
])('a failed prediction with the error %j is reported as content_policy', (error) => {
  expect(report({ status: 'failed', error })).toMatchObject({ code: 'content_policy', message: error })
})

test.each(['CUDA out of memory', 'could not load the safety checker', 'the name is case sensitive', 'E1005'])(
  'a failed prediction with the error %j is not reported as content_policy',
  (error) => {
    expect(report({ status: 'failed', error })).toMatchObject({ code: 'provider_failed', message: error })
  },
)

test.each([
  undefined,
  null,
  [],
  'text',
  {},
  { id: 'p1' },
  { id: '../x', status: 'starting' },
  { id: 7, status: '' },
])('the answer %j without a prediction throws an error that says so', (json) => {
  expect(() => predictionIn(json)).toThrow('without a prediction')
})

test.each<[string, unknown, number | undefined]>([
  [
    'bars on lines of their own',
    'Using seed: 34149\n  0%|          | 0/50 [00:00<?, ?it/s]\n 12%|█▏        | 6/50 [00:00<00:03, 14.01it/s]',
    0.12,
  ],
  ['a bar drawn over and over', 'x\r 5%|▌| 1/20\r 100%|██████████| 20/20 [00:01<00:00]\nSaving.', 1],
  ['a bar with a name', 'denoising:  50%|█████     | 25/50 [00:02<00:02, 12.5it/s]', 0.5],
  ['words only', 'GPU memory at 97% now. Using seed: 1', undefined],
  ['nothing', '', undefined],
  ['no text', null, undefined],
])('a running prediction whose logs have %s reports the progress that they show', (_what, logs, progress) => {
  expect(report({ status: 'processing', logs })).toEqual({ state: 'running', handle: 'p1', progress })
})

test('logs of 10 MB without a progress bar are read at once', async () => {
  const cpuMs = await cpuTimeOf(() => {
    for (const piece of ['9', '9%', 'a|', '9%9% |9'])
      report({ status: 'processing', logs: piece.repeat(10_000_000 / piece.length) })
  })
  expect(cpuMs).toBeLessThan(2000)
})
