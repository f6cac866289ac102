import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { type CallEnd, type CallKind, circuitBreaker } from './breaker.ts'

const job = (id: string, owner = 'alice') => ({ id, owner })

function setUp() {
  const clock = manualClock(0)
  const told: (number | undefined)[] = []
  const breaker = circuitBreaker(clock, (openMs) => told.push(openMs))
  let jobs = 0
  /** One call for each outcome, each with its own job, whether or not the call is allowed. */
  const calls = (kind: CallKind, ...ends: CallEnd[]) =>
    ends.map((end) => breaker.begin(kind, job(`job-${jobs++}`))?.(end))
  const trip = () => calls('submit', 'fault', 'fault', 'fault', 'fault', 'fault')
  return { clock, told, breaker, calls, trip }
}

test('after five failed jobs in a row, a provider gets no new jobs for 30 seconds', async () => {
  const { clock, told, breaker, trip } = setUp()
  trip()
  expect(breaker.pauseMs()).toBe(30_000)
  expect(breaker.begin('submit', job('new'))).toBeUndefined()
  await clock.advance(29_999)
  expect(breaker.begin('submit', job('new'))).toBeUndefined()
  await clock.advance(1)
  expect(breaker.pauseMs()).toBe(0)
  expect(told).toEqual([30_000])
})

test('any answer of a provider between faults starts the count of faults again', () => {
  const { breaker, calls } = setUp()
  calls('submit', 'fault', 'fault', 'fault', 'fault', 'answered', 'fault', 'fault', 'fault', 'fault')
  expect(breaker.pauseMs()).toBe(0)
  calls('submit', 'fault')
  expect(breaker.pauseMs()).toBe(30_000)
})

test('repeated faults of one job do not open the breaker', () => {
  const { breaker } = setUp()
  for (let round = 0; round < 50; round++) breaker.begin('ask', job('unlucky'))?.('fault')
  for (let round = 0; round < 50; round++) breaker.begin('submit', job('unlucky'))?.('fault')
  expect(breaker.pauseMs()).toBe(0)
})

test('calls that the service aborts do not count as faults of the provider', () => {
  const { breaker, calls } = setUp()
  calls('submit', 'cut', 'cut', 'cut', 'cut', 'cut', 'cut')
  expect(breaker.pauseMs()).toBe(0)
  calls('submit', 'fault', 'fault', 'cut', 'fault', 'fault', 'fault')
  expect(breaker.pauseMs()).toBe(30_000)
})

test('after the pause one submit is let through, and its answer closes the breaker', async () => {
  const { clock, told, breaker, trip } = setUp()
  trip()
  await clock.advance(30_000)
  const probe = breaker.begin('submit', job('probe'))
  expect(probe).toBeDefined()
  expect(breaker.begin('submit', job('another'))).toBeUndefined()
  expect(breaker.pauseMs()).toBeGreaterThan(0)
  probe?.('answered')
  expect(breaker.begin('submit', job('another'))).toBeDefined()
  expect(breaker.begin('submit', job('one more'))).toBeDefined()
  expect(told).toEqual([30_000, undefined])
})

test('a failed probe doubles the pause up to ten minutes, and an answer resets it', async () => {
  const { clock, told, breaker, calls, trip } = setUp()
  trip()
  for (let round = 0; round < 7; round++) {
    await clock.advance(breaker.pauseMs())
    calls('submit', 'fault')
  }
  expect(told).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000])
  await clock.advance(600_000)
  calls('submit', 'answered')
  trip()
  expect(breaker.pauseMs()).toBe(30_000)
})

test('a probe that fails after an older submit was answered counts as one fault', async () => {
  const { clock, breaker, trip } = setUp()
  const older = breaker.begin('submit', job('older'))
  trip()
  await clock.advance(30_000)
  const probe = breaker.begin('submit', job('probe'))
  older?.('answered')
  probe?.('fault')
  expect(breaker.pauseMs()).toBe(0)
})

test('an aborted probe lets another probe follow', async () => {
  const { clock, breaker, calls, trip } = setUp()
  trip()
  await clock.advance(30_000)
  calls('submit', 'cut')
  expect(breaker.begin('submit', job('next'))).toBeDefined()
})

test('running jobs are polled while the breaker is open', () => {
  const { breaker, trip } = setUp()
  trip()
  expect(breaker.begin('ask', job('running'))).toBeDefined()
})

test('failing polls open the breaker and good polls close it; no submit is sent while polls fail', async () => {
  const { clock, told, breaker, calls } = setUp()
  calls('ask', 'fault', 'fault', 'fault', 'fault', 'fault')
  await clock.advance(20_000)
  calls('ask', 'fault')
  expect(breaker.pauseMs()).toBe(30_000)
  calls('ask', 'answered')
  expect(breaker.pauseMs()).toBe(0)
  expect(told).toEqual([30_000, undefined])
})

test('good polls do not close a breaker that failing submits have opened, and a few failing polls hold no submit back', async () => {
  const { clock, breaker, calls, trip } = setUp()
  calls('submit', 'fault', 'fault', 'fault', 'fault')
  calls('ask', 'answered')
  calls('submit', 'fault')
  expect(breaker.pauseMs()).toBe(30_000)
  calls('ask', 'answered')
  expect(breaker.pauseMs()).toBe(30_000)
  trip()
  await clock.advance(25_000)
  calls('ask', 'fault', 'fault')
  expect(breaker.pauseMs()).toBe(5_000)
})

test('a clock that is set neither keeps a breaker open for longer nor closes it', async () => {
  const { clock, breaker, trip } = setUp()
  trip()
  clock.set(1_000_000_000)
  expect(breaker.pauseMs()).toBe(30_000)
  clock.set(-1_000_000_000)
  await clock.advance(30_000)
  expect(breaker.pauseMs()).toBe(0)
})

test('a probe that never ends is followed by another', async () => {
  const { clock, breaker, trip } = setUp()
  trip()
  await clock.advance(30_000)
  expect(breaker.begin('submit', job('lost'))).toBeDefined()
  await clock.advance(170_000)
  expect(breaker.begin('submit', job('next'))).toBeUndefined()
  await clock.advance(10_000)
  expect(breaker.begin('submit', job('next'))).toBeDefined()
})

test('polls that keep failing hold new jobs back for ten minutes at the most', async () => {
  const { clock, breaker, calls, trip } = setUp()
  trip()
  for (let minute = 0; minute < 10; minute++) {
    calls('ask', 'fault', 'fault', 'fault', 'fault', 'fault')
    await clock.advance(60_000)
  }
  expect(breaker.begin('submit', job('probe'))).toBeDefined()
})

test('faults of one owner open the breaker for that owner alone, faults of several owners open it for all', () => {
  const { breaker } = setUp()
  breaker.begin('submit', job('good', 'bob'))?.('answered')
  for (let count = 0; count < 40; count++) breaker.begin('submit', job(`bad-${count}`, 'mallory'))?.('fault')
  expect(breaker.pauseMs()).toBe(0)
  breaker.begin('submit', job('hit', 'bob'))?.('fault')
  expect(breaker.pauseMs()).toBe(30_000)
})

test('a provider that knows the tasks of none of five jobs gets one new job every 30 seconds, until it knows a task', async () => {
  const { clock, told, breaker, calls } = setUp()
  calls('poll', 'answered')
  await clock.advance(60_000)
  calls('poll', 'unknown', 'unknown', 'unknown', 'unknown')
  expect([breaker.pauseMs(), breaker.knowsTasks()]).toEqual([0, true])
  calls('poll', 'unknown')
  expect([breaker.pauseMs(), breaker.knowsTasks()]).toEqual([30_000, false])
  for (let round = 0; round < 30; round++) {
    await clock.advance(30_000)
    calls('poll', 'unknown')
    expect(breaker.pauseMs()).toBe(0)
    // Neither an answer to a submit nor one about something else shows that the provider knows its tasks.
    calls('submit', 'answered')
    calls('ask', 'answered')
    expect([breaker.pauseMs(), breaker.knowsTasks()]).toEqual([30_000, false])
  }
  calls('poll', 'answered')
  expect([breaker.pauseMs(), breaker.knowsTasks()]).toEqual([0, true])
  expect(told).toEqual([30_000, undefined])
})

test('a task that stays unknown does not open the breaker, and a process judges none in the first minute in which it polls', async () => {
  const { clock, breaker } = setUp()
  for (let round = 0; round < 50; round++) breaker.begin('poll', job('lost'))?.('unknown')
  expect([breaker.pauseMs(), breaker.knowsTasks()]).toEqual([0, false])
  await clock.advance(60_000)
  expect(breaker.knowsTasks()).toBe(true)
})
