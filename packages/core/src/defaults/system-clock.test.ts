import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from './system-clock.ts'

const dayMs = 86_400_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([30, 365])('a delay of %i days ends after as many days, on a host that counts to 24.8', (days) => {
  const clock = systemClock()
  const run = vi.fn<() => void>()
  clock.after(days * dayMs, run)
  vi.advanceTimersByTime(days * dayMs - 1)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledOnce()
})

test('a delay of more than 24.8 days can be canceled at any time', () => {
  const run = vi.fn<() => void>()
  const cancel = systemClock().after(60 * dayMs, run)
  vi.advanceTimersByTime(40 * dayMs)
  cancel()
  cancel()
  expect(vi.getTimerCount()).toBe(0)
})
