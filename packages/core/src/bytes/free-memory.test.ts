import { expect, test } from 'vitest'
import { freeMemory } from './gathered-bytes.ts'

test('freeMemory frees the memory of an array at once, before the garbage collector runs', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 1000; i++) freeMemory(new Uint8Array(1_000_000).fill(1))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
})

test('freeMemory leaves an array alone whose buffer others may use', () => {
  const whole = new Uint8Array([1, 2, 3, 4])
  freeMemory(whole.subarray(1))
  expect(whole).toEqual(new Uint8Array([1, 2, 3, 4]))
})
