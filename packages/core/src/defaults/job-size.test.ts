import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { sizeOf } from './job-size.ts'

const long = { prompt: 'a fox in the snow '.repeat(500) }

test.each<[string, Job]>([
  ['just accepted', exampleJob()],
  ['running', exampleJob({ phase: 'running' })],
  ['completed', exampleJob({ phase: 'completed' })],
  ['with a long input', exampleJob({ shownInput: long, input: { ...long } })],
  ['with a long handle', exampleJob({ phase: 'running', handle: long })],
  [
    'with many outputs',
    exampleJob({ outputs: Array.from({ length: 100 }, (_, n) => ({ url: `https://cdn.test/${n}` })) }),
  ],
  ['with a long idempotency key', exampleJob({ idempotency: { key: 'k'.repeat(5000), fingerprint: 'f' } })],
])(
  'a job %s is counted as about two bytes for each character of its JSON, and 400 for its places in the store',
  (_what, job) => {
    const { bytes } = sizeOf(job)
    const exact = 400 + 2 * JSON.stringify(job).length
    expect(bytes).toBeGreaterThan(exact * 0.8)
    expect(bytes).toBeLessThan(exact * 1.4)
  },
)

test('the size of a job is measured again where the job has changed, and a value that it has twice counts once', () => {
  const job = exampleJob({ shownInput: long, input: long })
  const once = sizeOf(job)
  expect(once.bytes).toBeLessThan(sizeOf({ ...job, input: { ...long } }).bytes)
  const { input: _, ...finished } = job
  expect(sizeOf({ ...finished, shownInput: { prompt: 'short' } }, once)).toEqual(
    sizeOf({ ...finished, shownInput: { prompt: 'short' } }),
  )
})
