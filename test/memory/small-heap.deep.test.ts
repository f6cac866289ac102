import { expect, test } from 'vitest'
import { runInSmallHeap } from './run-in-small-heap.ts'
import { testWideCreates } from './wide-creates.ts'

testWideCreates('deno', 'narrow')

test('a service in memory, in a heap of 96 MB, takes 60,000 small jobs and the ledger of their costs one after another, and lives on', async () => {
  const { answers, submits } = await runInSmallHeap('node', 96, 'short', 60_000)
  expect(answers).toEqual({ '202': submits })
  expect(submits).toBeGreaterThanOrEqual(60_000)
})
