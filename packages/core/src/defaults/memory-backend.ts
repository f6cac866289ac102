import type { Backend } from '../contracts/backend.ts'
import { checkClock } from '../contracts/check-contract.ts'
import type { Clock } from '../contracts/clock.ts'
import { optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { memoryJobStore, type MemoryJobStoreOptions, memoryJobStoreTable } from './memory-job-store.ts'
import { memorySignals } from './memory-signals.ts'
import { systemClock } from './system-clock.ts'
import type { Scheduler } from '../contracts/scheduler.ts'

/** The options of {@link memoryBackend}. */
export interface MemoryBackendOptions extends MemoryJobStoreOptions {
  /** The clock whose timers wake jobs. Give the service the same clock. @default `systemClock()` */
  readonly clock?: Clock | undefined
}

const table = {
  ...memoryJobStoreTable,
  clock: optional(checkClock),
} satisfies OptionTable<MemoryBackendOptions>

/**
 * Keeps jobs in the memory of this process, so they are lost when it ends: for development, tests, and services whose
 * jobs cost nothing. Unfinished jobs and jobs with outputs to copy are never dropped. When they fill the store, it
 * refuses new jobs. All other jobs may be dropped to make room: first the least recently read job of the owner with the
 * largest share of `maxJobs` or `maxBytes`. The ledger of costs keeps the latest `maxJobs` jobs, or as many as fit into a
 * quarter of `maxBytes` beside them.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, backend: memoryBackend({ maxJobs: 1000 }) })
 */
export function memoryBackend(options?: MemoryBackendOptions): Backend {
  const { clock = systemClock(), ...bounds } = checkOptions('memoryBackend', options, table)
  const scheduler = timerScheduler(clock)
  return {
    jobs: memoryJobStore(bounds),
    scheduler,
    signals: memorySignals(),
    durable: false,
    close: () => scheduler.stop(),
  }
}

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

  return {
    wakeAt,
    start(run) {
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
  }
}
