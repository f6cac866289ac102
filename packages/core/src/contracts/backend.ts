import type { JobSignals } from './job-signals.ts'
import type { JobStore } from './job-store.ts'
import type { Scheduler } from './scheduler.ts'

/** Where jobs live and what wakes them. */
export interface Backend {
  readonly jobs: JobStore
  readonly scheduler: Scheduler
  readonly signals: JobSignals
  /** Whether jobs outlive this process. When not, the service says so as it starts. */
  readonly durable: boolean
  close(): Promise<void>
}
