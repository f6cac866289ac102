import type { Clock } from './clock.ts'
import type { JobSignals } from './job-signals.ts'
import type { JobStore } from './job-store.ts'
import type { Scheduler } from './scheduler.ts'

/** What keeps a service's jobs and wakes them: a job store, a scheduler and signals. */
export interface Backend {
  /** Stores the jobs. The only part that must not forget anything. */
  readonly jobs: JobStore
  /** Wakes a job when its next step is due. */
  readonly scheduler: Scheduler
  /** Tells those who wait for a job that the job has changed. */
  readonly signals: JobSignals
  /**
   * Tells which of the processes that share the backend have ended, so that their jobs go on at once. Without it, the
   * job of a process that has died goes on when the claim of that process runs out, and a job may be paid for twice if a
   * process is frozen in the middle of a submit for longer than its claim. @default none
   */
  readonly processes?: Processes
  /**
   * The clock on which all processes that share the backend agree, although the clocks of their machines may differ. It
   * is right once `ready()` has resolved. The service goes by it, unless it was given a clock.
   * @default the clock of the service
   */
  readonly clock?: Clock
  /** Whether jobs survive this process. If not, the service writes a warning to the log when it starts. */
  readonly durable: boolean
  /**
   * Opens what the backend needs, so that a mistake is found before the first job comes. The service's `ready()` calls
   * it; it may be called at any time, and again. @default the backend needs nothing
   * @throws Error that says what is wrong and what to do. It is shown to the operator, never to clients
   */
  ready?(): Promise<void>
  /** Releases everything that the backend holds. The service's `close()` calls it last, once. */
  close(): Promise<void>
}

/** Tells which of the processes that share a backend have ended, for example by asking the operating system. */
export interface Processes {
  /** The id of this process: a new random text without a colon, each time the backend is created. */
  readonly id: string

  /**
   * Whether the process has certainly ended. `false` for a process that lives or is frozen, and for one about which the
   * backend knows nothing.
   */
  hasEnded(id: string): Promise<boolean>

  /**
   * The ids of at most `limit` jobs whose claim (see `claimToken`) is live although the process that holds it has
   * ended. Lists a job until its claim is given up.
   */
  leftBehind(limit: number): Promise<readonly string[]>

  /**
   * Since when no other process can have taken this one for ended, in milliseconds of the backend's `clock.uptime()`;
   * `Infinity` while it can't be sure. A claim that was last written before that instant is renewed before anything is
   * paid for, because another process may have ended it. @default others never take a process that lives for ended
   */
  seenSince?(): number
}
