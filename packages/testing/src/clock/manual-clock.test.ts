import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'

test('manualClock stands still until a test moves it', async () => {
  const clock = manualClock(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(clock.now()).toBe(1_000)
  await clock.advance(5)
  expect(clock.now()).toBe(1_005)
  await clock.advanceTo(2_000)
  expect(clock.now()).toBe(2_000)
})

test('timers of manualClock fire in the order of their instants, each at its instant, and not beyond the advance', async () => {
  const clock = manualClock(0)
  const fired: [string, number][] = []
  for (const [name, delayMs] of Object.entries({ late: 30, early: 10, twin: 10, beyond: 31 })) {
    clock.after(delayMs, () => fired.push([name, clock.now()]))
  }
  await clock.advance(30)
  expect(fired).toEqual([
    ['early', 10],
    ['twin', 10],
    ['late', 30],
  ])
  expect(clock.pendingTimers).toBe(1)
})

test('code that awaits between two timers of manualClock goes on during an advance, over many awaits and macrotasks', async () => {
  const clock = manualClock(0)
  const seen: string[] = []
  clock.after(10, async () => {
    for (let hop = 0; hop < 1_000; hop++) await undefined
    await new Promise((resolve) => setImmediate(resolve))
    await new Response(new Blob(['x']).stream()).text()
    clock.after(5, () => seen.push(`nested at ${clock.now()}`))
  })
  clock.after(20, () => seen.push(`outer at ${clock.now()}`))
  await clock.advance(20)
  expect(seen).toEqual(['nested at 15', 'outer at 20'])
})

test('a canceled timer of manualClock does not fire, and a late or second cancel does nothing', async () => {
  const clock = manualClock()
  const fired: string[] = []
  const cancel = clock.after(10, () => fired.push('canceled'))
  const cancelLate = clock.after(10, () => fired.push('kept'))
  cancel()
  cancel()
  await clock.advance(10)
  cancelLate()
  expect(fired).toEqual(['kept'])
  expect(clock.pendingTimers).toBe(0)
})

test('a timer of manualClock for a year fires after a year', async () => {
  const clock = manualClock()
  const yearMs = 365 * 24 * 3_600_000
  let isFired = false
  clock.after(yearMs, () => (isFired = true))
  await clock.advance(yearMs - 1)
  expect(isFired).toBe(false)
  await clock.advance(1)
  expect(isFired).toBe(true)
})

test('set of manualClock fires no timer and changes no remaining delay', async () => {
  const clock = manualClock(1_000_000)
  const fired: number[] = []
  clock.after(10, () => fired.push(clock.now()))
  clock.set(0)
  expect(clock.now()).toBe(0)
  clock.set(2_000_000)
  await clock.advance(9)
  expect(fired).toEqual([])
  await clock.advance(1)
  expect(fired).toEqual([2_000_010])
})

test('manualClock throws an error for an advance backwards, for NaN, and for two advances at a time', async () => {
  const clock = manualClock()
  await expect(clock.advance(-1)).rejects.toThrow(RangeError)
  await expect(clock.advanceTo(clock.now() - 1)).rejects.toThrow(RangeError)
  await expect(clock.advance(Number.NaN)).rejects.toThrow(RangeError)
  expect(() => clock.after(Number.NaN, () => {})).toThrow(TypeError)
  const first = clock.advance(1)
  await expect(clock.advance(1)).rejects.toThrow('await the earlier advance')
  await first
})

test('an advance of manualClock fails when a timer throws, and the next advance works', async () => {
  const clock = manualClock(0)
  clock.after(5, () => {
    throw new Error('boom')
  })
  await expect(clock.advance(10)).rejects.toThrow('boom')
  await clock.advance(5)
  expect(clock.now()).toBe(10)
})
