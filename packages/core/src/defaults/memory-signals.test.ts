import { expect, test } from 'vitest'
import { memorySignals } from './memory-signals.ts'

test('all of 10,000 watchers of a job are woken, a few in each turn of the event loop, and none that has left', async () => {
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

test('a few watchers of a job are all woken in one turn of the event loop', () => {
  const signals = memorySignals()
  let woken = 0
  for (let i = 0; i < 50; i++) signals.subscribe('a', () => woken++)
  signals.publish('a')
  expect(woken).toBe(50)
})
