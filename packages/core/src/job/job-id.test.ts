import { expect, test } from 'vitest'
import { idsFrom, newJobId } from './job-id.ts'

test('job ids sort in the order in which they were made, also within one millisecond', () => {
  const made = Array.from({ length: 2048 }, () => newJobId(1_800_000_000_000))
  made.push(newJobId(1_800_000_000_001))
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
})

test('more ids in one millisecond than the counter holds are still all different and sorted', () => {
  const made = Array.from({ length: 6000 }, () => newJobId(1_800_000_000_002))
  expect(new Set(made).size).toBe(made.length)
  for (const id of made) expect(id.startsWith(idsFrom(1_800_000_000_002))).toBe(true)
})

test('a job id is its prefix and a UUID of version 7', () => {
  expect(newJobId(Date.now())).toMatch(/^gen_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
})
