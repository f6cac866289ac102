import { describe, expect, test } from 'vitest'
import type { Clock, Scheduler } from '@genmount/core'
import { manualClock, schedulerSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'

/** The mistakes of the reference scheduler; none by default. */
interface Damage {
  readonly delayOf?: (at: number, now: number) => number
  readonly addsWishes?: boolean
  readonly forgetsEarlyWishes?: boolean
  readonly forgetsAfterFirst?: boolean
  readonly lastsAfterStop?: 'timers' | 'wishes'
  readonly throwsOnSecondStop?: boolean
  readonly needsStartToStop?: boolean
  readonly maxTimers?: number
  readonly wakesTwice?: boolean
}

function referenceScheduler(clock: Clock, damage: Damage = {}): Scheduler {
  const wishes = new Map<string, () => void>()
  const early = new Map<string, number>()
  const { delayOf = (at, now) => Math.max(0, at - now), maxTimers = Infinity } = damage
  let wake: ((jobId: string) => void) | undefined
  let isStopped = false

  const scheduler: Scheduler = {
    start(run) {
      wake = run
      if (!damage.forgetsEarlyWishes) for (const [jobId, at] of early) scheduler.wakeAt(jobId, at)
    },
    wakeAt(jobId, at) {
      if (isStopped && damage.lastsAfterStop !== 'wishes') return
      if (!wake) return void early.set(jobId, at)
      if (damage.forgetsAfterFirst && wishes.has(jobId)) return
      if (!damage.addsWishes) wishes.get(jobId)?.()
      if (wishes.size >= maxTimers) return
      const cancel = clock.after(delayOf(at, clock.now()), () => {
        if (isStopped && !damage.lastsAfterStop) return
        if (!damage.forgetsAfterFirst) wishes.delete(jobId)
        wake?.(jobId)
        if (damage.wakesTwice) wake?.(jobId)
      })
      wishes.set(jobId, cancel)
    },
    async stop() {
      if (isStopped && damage.throwsOnSecondStop) throw new Error('stopped already')
      if (!wake && damage.needsStartToStop) throw new Error('not started yet')
      isStopped = true
      if (damage.lastsAfterStop !== 'timers') for (const cancel of wishes.values()) cancel()
      wishes.clear()
    },
  }
  return scheduler
}

function suiteWith(damage: Damage = {}) {
  return schedulerSuite(() => {
    const clock = manualClock()
    return { scheduler: referenceScheduler(clock, damage), clock }
  })
}

test('a scheduler that keeps the contract passes every case', async () => {
  expect(await failingCases(suiteWith())).toEqual([])
})

const faults: Record<string, { readonly damage: Damage; readonly fails: readonly string[] }> = {
  'wakes a millisecond early': {
    damage: { delayOf: (at, now) => Math.max(0, at - now - 1) },
    fails: [
      'a job is woken when its instant has come, not before, and once',
      'each job is woken at its own instant',
      'a second wakeAt for a job replaces the first, whether its instant is earlier or later',
      'wishes from before the start are kept, the last one for each job',
      'a job can be woken again, also by a wish made while it is being woken',
      'a wish for the far future wakes when its day has come',
      'ten thousand jobs are woken, each once',
    ],
  },
  'wakes a second late': {
    damage: { delayOf: (at, now) => Math.max(0, at - now) + 1_000 },
    fails: [
      'a job is woken when its instant has come, not before, and once',
      'each job is woken at its own instant',
      'an instant that has passed wakes soon',
      'a second wakeAt for a job replaces the first, whether its instant is earlier or later',
      'a wish for one job leaves those for others alone',
      'wishes from before the start are kept, the last one for each job',
      'a job can be woken again, also by a wish made while it is being woken',
      'a wish for the far future wakes when its day has come',
      'ten thousand jobs are woken, each once',
      'after a stop during a wake, no other job is woken',
    ],
  },
  'hands the host delays that it cannot count': {
    damage: { delayOf: (at, now) => (at - now > 2 ** 31 - 1 ? 1 : Math.max(0, at - now)) },
    fails: [
      'a wish for the far future does not wake now',
      'a wish for the far future wakes when its day has come',
    ],
  },
  'never wakes for instants that have passed': {
    damage: { delayOf: (at, now) => (at <= now ? Infinity : at - now) },
    fails: [
      'an instant that has passed wakes soon',
      'wishes from before the start are kept, the last one for each job',
      'ten thousand jobs are woken, each once',
    ],
  },
  'adds wishes up instead of replacing them': {
    damage: { addsWishes: true },
    fails: ['a second wakeAt for a job replaces the first, whether its instant is earlier or later'],
  },
  'keeps the first wish for a job for ever': {
    damage: { forgetsAfterFirst: true },
    fails: [
      'a second wakeAt for a job replaces the first, whether its instant is earlier or later',
      'a job can be woken again, also by a wish made while it is being woken',
    ],
  },
  'forgets wishes from before the start': {
    damage: { forgetsEarlyWishes: true },
    fails: ['wishes from before the start are kept, the last one for each job'],
  },
  'wakes every job twice': {
    damage: { wakesTwice: true },
    fails: [
      'a job is woken when its instant has come, not before, and once',
      'each job is woken at its own instant',
      'an instant that has passed wakes soon',
      'a second wakeAt for a job replaces the first, whether its instant is earlier or later',
      'wishes from before the start are kept, the last one for each job',
      'a job can be woken again, also by a wish made while it is being woken',
      'a wish for the far future wakes when its day has come',
      'ten thousand jobs are woken, each once',
      'after a stop during a wake, no other job is woken',
    ],
  },
  'lets timers run on after a stop': {
    damage: { lastsAfterStop: 'timers' },
    fails: [
      'nothing wakes after a stop, neither older wishes nor new ones',
      'after a stop during a wake, no other job is woken',
      'a stop releases every timer, and a second one does nothing',
    ],
  },
  'takes wishes after a stop': {
    damage: { lastsAfterStop: 'wishes' },
    fails: [
      'nothing wakes after a stop, neither older wishes nor new ones',
      'a stop releases every timer, and a second one does nothing',
    ],
  },
  'fails when it is stopped twice': {
    damage: { throwsOnSecondStop: true },
    fails: ['a stop releases every timer, and a second one does nothing'],
  },
  'cannot be stopped before it was started': {
    damage: { needsStartToStop: true },
    fails: ['a scheduler that was never started can be stopped'],
  },
  'holds a thousand wishes and no more': {
    damage: { maxTimers: 1_000 },
    fails: ['ten thousand jobs are woken, each once'],
  },
}

describe('a broken scheduler fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { damage, fails }) => {
    expect(await failingCases(suiteWith(damage))).toEqual(fails)
  })
})
