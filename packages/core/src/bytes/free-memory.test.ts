import { expect, test } from 'vitest'
import { freeMemory } from './free-memory.ts'

test('the memory of an array is free at once, and not when the garbage collector runs', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 1000; i++) freeMemory(new Uint8Array(1_000_000).fill(1))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
})

test('an array whose buffer others may use stays as it is', () => {
  const whole = new Uint8Array([1, 2, 3, 4])
  freeMemory(whole.subarray(1))
  expect(whole).toEqual(new Uint8Array([1, 2, 3, 4]))
})
