import { expect, test } from 'vitest'
import { minPollIntervalMs, pollSchedule } from './poll-schedule.ts'

/** How many polls a task of `durationMs` takes, and how long after its end the last one comes. */
function simulate(durationMs: number, typicalMs?: number) {
  const schedule = pollSchedule([{ id: 'm', ...(typicalMs !== undefined && { typicalMs }) }])
  let polls = 0
  let elapsedMs = 0
  while (elapsedMs < durationMs) {
    elapsedMs += schedule.delayMs('m', elapsedMs)
    polls++
  }
  return { polls, lateMs: elapsedMs - durationMs }
}

test('a task that takes as long as its model usually does is not asked after all the time', () => {
  expect(simulate(120_000, 120_000).polls).toBeLessThanOrEqual(25)
  expect(simulate(120_000, 120_000).lateMs).toBeLessThanOrEqual(3000)
})

test.each([500, 2000, 20_000, 120_000, 600_000])(
  'a task of %i ms is found finished within a quarter of its time or 10 s',
  (durationMs) => {
    for (const typicalMs of [undefined, 1000, 30_000, 300_000]) {
      const { lateMs } = simulate(durationMs, typicalMs)
      expect(lateMs).toBeLessThanOrEqual(Math.max(10_000, durationMs / 4))
    }
  },
)

test('no two polls are closer than a second', () => {
  const schedule = pollSchedule([{ id: 'm', typicalMs: 5000 }])
  for (let elapsedMs = 0; elapsedMs < 20_000; elapsedMs += 100) {
    expect(schedule.delayMs('m', elapsedMs)).toBeGreaterThanOrEqual(minPollIntervalMs)
  }
})

test('it learns how long a model takes', () => {
  const schedule = pollSchedule([{ id: 'm', typicalMs: 60_000 }])
  for (let i = 0; i < 30; i++) schedule.observe('m', 4000)
  expect(schedule.delayMs('m', 0)).toBeLessThan(5000)
  expect(schedule.delayMs('new', 0)).toBe(minPollIntervalMs)
  schedule.observe('new', 8000)
  expect(schedule.delayMs('new', 0)).toBeCloseTo(7200)
})
