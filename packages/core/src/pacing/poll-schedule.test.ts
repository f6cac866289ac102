import { expect, test } from 'vitest'
import { minPollIntervalMs, type PollSchedule, pollSchedule } from './poll-schedule.ts'

const m = { model: 'm' }

/** How many polls a task of `durationMs` takes, and how long after its end the last poll is. */
function runTask(schedule: PollSchedule, durationMs: number) {
  let polls = 0
  let runningMs = 0
  let elapsedMs = 0
  while (elapsedMs < durationMs) {
    runningMs = elapsedMs
    elapsedMs += schedule.delayMs(m, elapsedMs)
    polls++
  }
  schedule.observe(m, elapsedMs, runningMs)
  return { polls, lateMs: elapsedMs - durationMs }
}

function scheduleOf(typicalMs?: number) {
  return pollSchedule([{ id: 'm', typicalMs }])
}

/** Durations between 70 % and 130 % of `typicalMs`, out of order. */
function similar(typicalMs: number, count: number) {
  return Array.from({ length: count }, (_, i) => typicalMs * (0.7 + 0.6 * ((i * 0.618) % 1)))
}

function mean(values: readonly number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

test('a task that takes as long as its model usually does gets few polls', () => {
  const { polls, lateMs } = runTask(scheduleOf(120_000), 120_000)
  expect(polls).toBeLessThanOrEqual(40)
  expect(lateMs).toBeLessThanOrEqual(3000)
})

test.each([500, 2000, 20_000, 120_000, 600_000])(
  'a task of %i ms of an unknown model is found finished within half of its duration or 10 s',
  (durationMs) => {
    for (const typicalMs of [undefined, 1000, 30_000, 300_000]) {
      const { lateMs } = runTask(scheduleOf(typicalMs), durationMs)
      expect(lateMs).toBeLessThanOrEqual(Math.max(10_000, durationMs / 2))
    }
  },
)

test('no two polls are closer than a second', () => {
  const schedule = scheduleOf(5000)
  for (const duration of similar(5000, 30)) runTask(schedule, duration)
  for (let elapsedMs = 0; elapsedMs < 20_000; elapsedMs += 100) {
    expect(schedule.delayMs(m, elapsedMs)).toBeGreaterThanOrEqual(minPollIntervalMs)
  }
})

test('tasks of a model with known durations are not polled before the quickest could have finished', () => {
  const schedule = scheduleOf()
  for (const duration of similar(60_000, 100)) runTask(schedule, duration)
  expect(schedule.delayMs(m, 0)).toBeGreaterThan(35_000)
})

test.each([
  { typicalMs: 20_000, polls: 7, lateMs: 1000 },
  { typicalMs: 120_000, polls: 22, lateMs: 1700 },
])(
  'tasks of about $typicalMs ms get $polls polls each, and their end is found $lateMs ms late',
  ({ typicalMs, polls, lateMs }) => {
    const schedule = scheduleOf()
    const runs = similar(typicalMs, 300).map((duration) => runTask(schedule, duration))
    const known = runs.slice(100)
    expect(mean(known.map((run) => run.polls))).toBeLessThanOrEqual(polls)
    expect(mean(known.map((run) => run.lateMs))).toBeLessThanOrEqual(lateMs)
  },
)

test('a wrong hint about the duration of a model is forgotten after a few tasks', () => {
  for (const hintMs of [2000, 200_000]) {
    const schedule = scheduleOf(hintMs)
    const runs = similar(20_000, 60).map((duration) => runTask(schedule, duration))
    expect(mean(runs.slice(30).map((run) => run.lateMs))).toBeLessThan(2000)
  }
})

/** How late polls find the ends of 100 tasks, after 100 tasks that took 20 s. */
function latenessAfterChangeTo(typicalMs: number) {
  const schedule = scheduleOf()
  for (const duration of similar(20_000, 100)) runTask(schedule, duration)
  return similar(typicalMs, 100).map((duration) => runTask(schedule, duration).lateMs)
}

test('when a provider becomes ten times slower, polls find its finished tasks within 10 s', () => {
  const lateness = latenessAfterChangeTo(200_000)
  expect(Math.max(...lateness)).toBeLessThanOrEqual(10_000)
  expect(mean(lateness.slice(50))).toBeLessThanOrEqual(2500)
})

test('when a provider becomes ten times quicker, polls find its finished tasks no later than before, and soon earlier', () => {
  const lateness = latenessAfterChangeTo(2000)
  expect(Math.max(...lateness)).toBeLessThanOrEqual(14_000)
  expect(mean(lateness.slice(50))).toBeLessThanOrEqual(5000)
})

test('a model with quick and slow tasks gets few polls between the two durations', () => {
  const schedule = scheduleOf()
  const tasks = similar(3000, 100).flatMap((quick, i) => [quick, similar(90_000, 100)[i]!])
  for (const duration of tasks) runTask(schedule, duration)
  let polls = 0
  for (let elapsedMs = 5000; elapsedMs < 55_000; elapsedMs += schedule.delayMs(m, elapsedMs)) polls++
  expect(polls).toBeLessThanOrEqual(8)
})

test('tasks that finish at once do not break the poll schedule', () => {
  const schedule = scheduleOf()
  for (let i = 0; i < 10; i++) schedule.observe(m, 0, 0)
  expect(schedule.delayMs(m, 0)).toBe(minPollIntervalMs)
  expect(schedule.delayMs(m, 40_000)).toBe(10_000)
})

test('the poll schedule learns the duration of each model separately', () => {
  const schedule = scheduleOf()
  for (const duration of similar(60_000, 20)) runTask(schedule, duration)
  expect(schedule.delayMs({ model: 'other' }, 0)).toBe(minPollIntervalMs)
})

test('the poll schedule learns the duration of each route of a model separately, and begins with that of the model', () => {
  const schedule = scheduleOf(60_000)
  const [slow, quick] = [
    { model: 'm', route: 'slow' },
    { model: 'm', route: 'quick' },
  ]
  expect([schedule.medianMs(slow), schedule.delayMs(slow, 0)]).toEqual([undefined, schedule.delayMs(m, 0)])
  for (const durationMs of similar(8000, 5)) schedule.observe(quick, durationMs, durationMs)
  expect(schedule.medianMs(quick)).toBeGreaterThan(7000)
  expect(schedule.medianMs(quick)).toBeLessThan(9000)
  expect(schedule.medianMs(slow)).toBeUndefined()
  expect(schedule.delayMs(quick, 0)).toBeLessThan(schedule.delayMs(slow, 0))
})
