import { expect, test } from 'vitest'
import { memorySignals } from './memory-signals.ts'

test('of ten thousand that watch one job all are woken, a few at a time, and none that has left', async () => {
  const signals = memorySignals()
  let woken = 0
  const ends = Array.from({ length: 10_000 }, () => signals.subscribe('a', () => woken++))
  signals.publish('a')
  expect(woken).toBe(50)
  for (const end of ends.slice(9000)) end()
  // Other work gets its turn in between.
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve))
    expect(woken).toBeLessThan(9000)
  }
  await expect.poll(() => woken).toBe(9000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(woken).toBe(9000)
})

test('of a few all are woken at once', () => {
  const signals = memorySignals()
  let woken = 0
  for (let i = 0; i < 50; i++) signals.subscribe('a', () => woken++)
  signals.publish('a')
  expect(woken).toBe(50)
})
