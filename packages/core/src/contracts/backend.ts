import type { JobSignals } from './job-signals.ts'
import type { JobStore } from './job-store.ts'
import type { Scheduler } from './scheduler.ts'

/** Where jobs live and what wakes them. */
export interface Backend {
  readonly jobs: JobStore
  readonly scheduler: Scheduler
  readonly signals: JobSignals
  /** Absent where nobody can tell before a claim runs out that its holder has died. */
  readonly processes?: Processes
  /** Whether jobs outlive this process. When not, the service says so as it starts. */
  readonly durable: boolean
  close(): Promise<void>
}

/** Knows of the processes that share a backend which of them have ended, as the operating system does. */
export interface Processes {
  /** This process's, without a colon. Drawn anew each time the backend is made. */
  readonly id: string

  /** Whether the process has ended for certain. `false` for one that lives, is frozen, or of which nobody can tell. */
  hasEnded(id: string): Promise<boolean>

  /** Ids of jobs with a live claim (`claimToken`) of a process that has ended, each until its claim is given up. */
  leftBehind(limit: number): Promise<readonly string[]>
}
