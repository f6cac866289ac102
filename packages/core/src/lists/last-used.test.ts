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
  memory.set('a', 1)
  memory.set('b', 2)
  expect(memory.get('a')).toBe(1)
  memory.set('c', 3)
  expect(memory.get('b')).toBeUndefined()
  expect(memory.peek('c')).toBe(3)
  memory.set('a', 4)
  memory.set('d', 5)
  expect(['a', 'b', 'c', 'd'].map((name) => memory.peek(name))).toEqual([4, undefined, undefined, 5])
})

test('a cache forgets as many entries as a large one needs, and keeps none that is larger than itself', () => {
  const memory = lastUsed<string>(10)
  for (const name of ['a', 'b', 'c']) memory.set(name, name, { size: 3 })
  memory.set('d', 'd', { size: 6 })
  expect(['a', 'b', 'c', 'd'].map((name) => memory.peek(name))).toEqual([undefined, undefined, 'c', 'd'])
  memory.set('c', 'larger', { size: 11 })
  expect(memory.peek('c')).toBeUndefined()
  expect([memory.delete('d'), memory.delete('d')]).toEqual([true, false])
  memory.set('e', 'e', { size: 10 })
  expect(memory.peek('e')).toBe('e')
})
