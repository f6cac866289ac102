import { expect, test } from 'vitest'
import { lastUsed } from './last-used.ts'

test('a cache for many entries takes memory only for the entries that it has', () => {
  const before = process.memoryUsage().arrayBuffers
  const memories = Array.from({ length: 10 }, () => lastUsed<true>(100_000))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000)
  expect(memories).toHaveLength(10)
})

test('a cache keeps the entries that were used last, up to its size', () => {
  const memory = lastUsed<number>(2)
  memory.set('a', 1).set('b', 2)
  expect(memory.get('a')).toBe(1)
  memory.set('c', 3).set('a', 4)
  expect([...memory.keys()].toSorted()).toEqual(['a', 'c'])
  expect(memory.get('a')).toBe(4)
})
