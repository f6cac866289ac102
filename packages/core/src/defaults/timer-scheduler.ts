import type { Clock } from '../contracts/clock.ts'
import type { Scheduler } from '../contracts/storage/scheduler.ts'
import { markInThisProcess } from './in-this-process.ts'

/** The scheduler for instants of a clock other than its own. */
export function schedulerFor(clock: Clock, scheduler: Scheduler, itsClock: Clock): Scheduler {
  return {
    start: (wake) => scheduler.start(wake),
    wakeAt: (jobId, at) => scheduler.wakeAt(jobId, at - clock.now() + itsClock.now()),
    stop: () => scheduler.stop(),
  }
}

/** A timer may fire this many milliseconds early by the clock, because timers and clocks round differently. */
const roundingMs = 2

/** Wakes jobs by timers of the clock, within this process. */
export function timerScheduler(clock: Clock): Scheduler {
  const timers = new Map<string, () => void>()
  const early = new Map<string, number>()
  let wake: ((jobId: string) => void) | undefined
  let isStopped = false

  function wakeAt(jobId: string, at: number): void {
    if (isStopped) return
    if (!wake) return void early.set(jobId, at)
    timers.get(jobId)?.()
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      timers.delete(jobId)
      const earlyMs = at - clock.now()
      if (earlyMs > 0 && earlyMs <= roundingMs) wakeAt(jobId, at)
      else wake?.(jobId)
    })
    timers.set(jobId, cancel)
  }

  return markInThisProcess({
    wakeAt,
    start(run: (jobId: string) => void) {
      wake = run
      for (const [jobId, at] of early) wakeAt(jobId, at)
      early.clear()
    },
    async stop() {
      isStopped = true
      for (const cancel of timers.values()) cancel()
      timers.clear()
      early.clear()
    },
  })
}
