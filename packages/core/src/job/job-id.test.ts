import { expect, test } from 'vitest'
import { idsFrom, newJobId } from './job-id.ts'

test('ids have the order in which they were made, also within one millisecond', () => {
  const made = Array.from({ length: 2048 }, () => newJobId(1_800_000_000_000))
  made.push(newJobId(1_800_000_000_001))
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
})

test('more ids than the count holds are still all different, and belong to their millisecond', () => {
  const made = Array.from({ length: 6000 }, () => newJobId(1_800_000_000_002))
  expect(new Set(made).size).toBe(made.length)
  for (const id of made) expect(id.startsWith(idsFrom(1_800_000_000_002))).toBe(true)
})

test('an id looks like a UUID after its prefix', () => {
  expect(newJobId(Date.now())).toMatch(/^gen_[0-9a-f]{32}$/)
})
