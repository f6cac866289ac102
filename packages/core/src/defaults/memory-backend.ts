import type { Backend } from '../contracts/storage/backend.ts'
import { checkClock } from '../contracts/check-contract.ts'
import type { Clock } from '../contracts/clock.ts'
import { optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { memoryJobStore, type MemoryJobStoreOptions, memoryJobStoreTable } from './memory-job-store.ts'
import { memorySignals } from './memory-signals.ts'
import { systemClock } from './system-clock.ts'
import { timerScheduler } from './timer-scheduler.ts'

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
