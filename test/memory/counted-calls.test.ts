import { expect, test } from 'vitest'
import { growing, runCountedCalls } from './run-counted-calls.ts'

test('no call of the memory store does more work with 20,000 jobs of one owner than with 1,000', async () => {
  const [few, many] = [await runCountedCalls(1000), await runCountedCalls(20_000)]
  expect(Object.keys(many.counts).length).toBeGreaterThan(20)
  expect(growing(few, many)).toEqual([])
})
