import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import { memoryJobStore, type MemoryJobStoreOptions } from './memory-job-store.ts'
import { memorySignals } from './memory-signals.ts'
import { systemClock } from './system-clock.ts'
import { timerScheduler } from './timer-scheduler.ts'

export interface MemoryBackendOptions extends MemoryJobStoreOptions {
  /** @default `systemClock()` */
  readonly clock?: Clock | undefined
}

/**
 * Keeps jobs in this process and loses them with it: for development, tests, and services whose jobs nobody pays for.
 * Processing jobs are never evicted; when they fill the store, new ones are refused. Finished jobs make room: of the owner
 * who has most of them, the least recently read first.
 */
export function memoryBackend(options: MemoryBackendOptions = {}): Backend {
  const { clock = systemClock(), ...bounds } = options
  const scheduler = timerScheduler(clock)
  return {
    jobs: memoryJobStore(bounds),
    scheduler,
    signals: memorySignals(),
    durable: false,
    close: () => scheduler.stop(),
  }
}
