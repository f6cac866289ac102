import { beforeAll, expect, test } from 'vitest'
import { type CountedCalls, growing, runCountedCalls } from './run-counted-calls.ts'

let million: CountedCalls
beforeAll(async () => {
  million = await runCountedCalls(1_000_000)
})

test('no call of the memory store does more work with a million jobs of one owner than with 1,000', async () => {
  expect(growing(await runCountedCalls(1000), million)).toEqual([])
})

test('a sweep of a million jobs in memory blocks the event loop for less than 50 us if nothing is due', () => {
  expect(million.sweepUs).toHaveLength(2)
  expect(Math.max(...million.sweepUs)).toBeLessThan(50)
})
