import assert from 'node:assert/strict'
import type { Scheduler } from '@genmount/core'
import type { ManualClock } from '../../clock/manual-clock.ts'
import { suiteOf, type Subject, type Suite } from '../suite.ts'
import { timeline, type Timeline } from './timeline.ts'

/** The subject of `schedulerSuite`: a scheduler that is not started yet. */
export interface SchedulerSubject extends Subject {
  /** The scheduler that is tested. */
  readonly scheduler: Scheduler
  /** The clock of the scheduler. @default the clock of the host, so the cases take real time */
  readonly clock?: ManualClock
  /** How late a wake may come, in milliseconds. @default 0 on a manual clock, 5000 in real time */
  readonly latenessMs?: number
}

const dayMs = 24 * 60 * 60_000

/**
 * The promises of every `Scheduler`, as cases.
 * @param create makes a scheduler. Each case calls it once.
 * @example
 * const suite = schedulerSuite(() => {
 *   const clock = manualClock()
 *   return { scheduler: timerScheduler(clock), clock }
 * })
 */
export function schedulerSuite(create: () => SchedulerSubject | Promise<SchedulerSubject>): Suite {
  return suiteOf(async () => {
    const subject = await create()
    const time = timeline(subject.clock, subject.latenessMs)
    const close = async () => {
      // An error is ignored here, because another case tests the second stop of a scheduler.
      await subject.scheduler.stop().catch(() => {})
      await subject.close?.()
    }
    return { ...subject, time, close }
  }, cases)
}

type Case = (subject: SchedulerSubject & { readonly time: Timeline }) => Promise<void>

const cases: Readonly<Record<string, Case>> = {
  'a job is woken when its instant has come, not before, and once': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    const at = time.now() + 200
    scheduler.wakeAt('job-1', at)
    await time.until(at, () => wakes.length > 0)
    await time.pass(300)
    assert.deepEqual(idsOf(wakes), ['job-1'])
    assertNotBefore(wakes, { 'job-1': at })
  },

  'each job is woken at its own instant': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    const instants = { soon: time.now() + 100, later: time.now() + 300, between: time.now() + 200 }
    for (const [id, at] of Object.entries(instants)) scheduler.wakeAt(id, at)
    await time.until(instants.later, () => wakes.length >= 3)
    assert.deepEqual(idsOf(wakes).toSorted(), Object.keys(instants).toSorted())
    assertNotBefore(wakes, instants)
  },

  'an instant that has passed wakes soon': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    scheduler.wakeAt('now', time.now())
    scheduler.wakeAt('past', time.now() - dayMs)
    scheduler.wakeAt('epoch', 0)
    await time.until(time.now() + 10, () => wakes.length >= 3)
    assert.deepEqual(idsOf(wakes).toSorted(), ['epoch', 'now', 'past'])
  },

  'a second wakeAt for a job replaces the first, whether its instant is earlier or later': async ({
    scheduler,
    time,
  }) => {
    const wakes = time.record(scheduler)
    const soon = time.now() + 100
    const later = time.now() + 400
    scheduler.wakeAt('postponed', soon)
    scheduler.wakeAt('postponed', later)
    scheduler.wakeAt('advanced', later)
    scheduler.wakeAt('advanced', soon)
    await time.until(later, () => wakes.length >= 2)
    await time.pass(300)
    assert.deepEqual(idsOf(wakes), ['advanced', 'postponed'])
    assertNotBefore(wakes, { advanced: soon, postponed: later })
  },

  'a wish for one job leaves those for others alone': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    const at = time.now() + 100
    for (const id of ['job-1', 'job-10', 'JOB-1', '__proto__', 'constructor', '1', '01'])
      scheduler.wakeAt(id, at)
    await time.until(at, () => wakes.length >= 7)
    assert.equal(new Set(idsOf(wakes)).size, 7)
  },

  'wishes from before the start are kept, the last one for each job': async ({ scheduler, time }) => {
    const early = time.now() + 100
    const late = time.now() + 300
    scheduler.wakeAt('kept', early)
    scheduler.wakeAt('replaced', early)
    scheduler.wakeAt('replaced', late)
    await time.pass(150)
    const wakes = time.record(scheduler)
    await time.until(late, () => wakes.length >= 2)
    await time.pass(300)
    assert.deepEqual(idsOf(wakes), ['kept', 'replaced'])
    assertNotBefore(wakes, { kept: early, replaced: late })
  },

  'a job can be woken again, also by a wish made while it is being woken': async ({ scheduler, time }) => {
    const wakes: number[] = []
    scheduler.start((jobId) => {
      wakes.push(time.now())
      if (wakes.length < 3) scheduler.wakeAt(jobId, time.now() + 50)
    })
    const at = time.now() + 50
    scheduler.wakeAt('job-1', at)
    await time.until(at + 100, () => wakes.length >= 3)
    await time.pass(300)
    assert.equal(wakes.length, 3)
    assert.ok(
      wakes.every((wokenAt, index) => wokenAt >= (wakes[index - 1] ?? at - 50) + 50),
      String(wakes),
    )
  },

  'a wish for the far future does not wake now': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    // The timers of many hosts fire at once when their delay is above 2 ** 31 - 1 ms.
    const delays = [2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 365 * dayMs, 3650 * dayMs]
    for (const delayMs of delays) scheduler.wakeAt(`in ${delayMs} ms`, time.now() + delayMs)
    await time.pass(500)
    assert.deepEqual(idsOf(wakes), [])
  },

  'a wish for the far future wakes when its day has come': async ({ scheduler, clock, time }) => {
    const wakes = time.record(scheduler)
    const at = time.now() + 365 * dayMs
    scheduler.wakeAt('job-1', at)
    // On the clock of the host the test can't wait a year, so there it only checks that the call is accepted.
    if (!clock) return
    await clock.advanceTo(at - 1)
    assert.deepEqual(idsOf(wakes), [])
    await time.until(at, () => wakes.length > 0)
    assert.deepEqual(idsOf(wakes), ['job-1'])
  },

  'ten thousand jobs are woken, each once': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    const start = time.now()
    const instants = Array.from({ length: 10_000 }, (_, index) => start + (index % 100) * 5)
    for (const [index, at] of instants.entries()) scheduler.wakeAt(`job-${index}`, at)
    await time.until(start + 500, () => wakes.length >= instants.length)
    assert.equal(wakes.length, instants.length)
    assert.equal(new Set(idsOf(wakes)).size, instants.length)
    assertNotBefore(wakes, Object.fromEntries(instants.map((at, index) => [`job-${index}`, at])))
  },

  'nothing wakes after a stop, neither older wishes nor new ones': async ({ scheduler, time }) => {
    const wakes = time.record(scheduler)
    const at = time.now() + 100
    scheduler.wakeAt('older', at)
    await scheduler.stop()
    scheduler.wakeAt('new', at)
    scheduler.wakeAt('past', time.now() - 1)
    await time.pass(400)
    assert.deepEqual(idsOf(wakes), [])
  },

  'after a stop during a wake, no other job is woken': async ({ scheduler, time }) => {
    const woken: string[] = []
    let stopped: Promise<void> | undefined
    scheduler.start((jobId) => {
      woken.push(jobId)
      stopped ??= scheduler.stop()
    })
    const at = time.now() + 100
    for (const jobId of ['job-1', 'job-2', 'job-3']) scheduler.wakeAt(jobId, at)
    await time.until(at, () => woken.length > 0)
    await stopped
    await time.pass(300)
    assert.equal(woken.length, 1)
  },

  'a stop releases every timer, and a second one does nothing': async ({ scheduler, clock, time }) => {
    time.record(scheduler)
    for (const delayMs of [100, 1_000, 365 * dayMs])
      scheduler.wakeAt(`in ${delayMs} ms`, time.now() + delayMs)
    await scheduler.stop()
    await scheduler.stop()
    scheduler.wakeAt('late', time.now() + 100)
    assert.equal(clock?.pendingTimers ?? 0, 0)
  },

  'a scheduler that was never started can be stopped': async ({ scheduler, clock, time }) => {
    scheduler.wakeAt('job-1', time.now() + 100)
    await scheduler.stop()
    assert.equal(clock?.pendingTimers ?? 0, 0)
  },
}

interface Wake {
  readonly jobId: string
  readonly at: number
}

function idsOf(wakes: readonly Wake[]): string[] {
  return wakes.map(({ jobId }) => jobId)
}

function assertNotBefore(wakes: readonly Wake[], instants: Readonly<Record<string, number>>): void {
  for (const { jobId, at } of wakes) {
    const wished = instants[jobId] ?? Number.NaN
    assert.ok(at >= wished, `${jobId} was woken ${wished - at} ms early`)
  }
}
