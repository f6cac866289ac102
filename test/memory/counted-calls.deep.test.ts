import { expect, test } from 'vitest'
import { growing, runCountedCalls } from './run-counted-calls.ts'

test('no call of the memory store does more work with a million jobs of one owner than with 1,000', async () => {
  expect(growing(await runCountedCalls(1000), await runCountedCalls(1_000_000))).toEqual([])
})

test('a sweep of a million jobs in memory blocks the event loop for less than 50 us if nothing is due', async () => {
  const { 'due, if nothing is': due, 'expired, if nothing is': expired } = await runCountedCalls(
    1_000_000,
    'timed',
  )
  expect(due).toBeLessThan(50)
  expect(expired).toBeLessThan(50)
})
