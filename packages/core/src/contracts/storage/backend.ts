import type { Clock } from '../clock.ts'
import type { JobSignals } from './job-signals.ts'
import type { JobStore } from './job-store.ts'
import type { Scheduler } from './scheduler.ts'

/** Stores a service's jobs and wakes them: a job store, a scheduler and signals. */
export interface Backend {
  /** Stores the jobs. This is the only part that must not lose anything. */
  readonly jobs: JobStore
  /** Wakes a job when its next step is due. */
  readonly scheduler: Scheduler
  /** Notifies waiting requests when a job has changed. */
  readonly signals: JobSignals
  /**
   * Finds out which of the processes that share the backend have ended, so that other processes take over their jobs at
   * once. Without it, another process takes a job over only when the claim of the dead process has run out, and a job
   * may be paid for twice if a process is frozen in the middle of a submit for longer than its claim.
   * @default none
   */
  readonly processes?: Processes
  /**
   * The clock on which all processes that share the backend agree, although the clocks of their machines may differ. It
   * is right once `ready()` has resolved. The service uses it, unless it has a `clock` option.
   * @default the clock of the service
   */
  readonly clock?: Clock
  /** Whether jobs survive this process. If not, the service writes a warning to the log when it starts. */
  readonly durable: boolean
  /**
   * Opens what the backend needs, so that a wrong setting is found before the first job. The service's `ready()` calls
   * it. It may be called at any time and more than once.
   * @default the backend needs nothing
   * @throws Error that says what is wrong and what to do. It is shown to the operator, never to clients
   */
  ready?(): Promise<void>
  /** Releases everything that the backend holds. The service's `close()` calls it last, once. */
  close(): Promise<void>
}

/** Finds out which of the processes that share a backend have ended, for example by asking the operating system. */
export interface Processes {
  /** The id of this process: a new random text without a colon, each time the backend is created. */
  readonly id: string

  /**
   * Whether the process has certainly ended. `false` for a process that is running or frozen, and for a process that
   * the backend does not know.
   */
  hasEnded(id: string): Promise<boolean>

  /**
   * The ids of at most `limit` jobs whose claim (see `JobClaim`) is live although the process that holds the claim
   * has ended. A job is listed until its claim is given up.
   */
  leftBehind(limit: number): Promise<readonly string[]>

  /**
   * The instant since which no other process can have considered this process dead, in milliseconds of the backend's
   * `clock.uptime()`; `Infinity` while this is not certain. Before anything is paid for, the service renews a claim
   * that was last written before that instant, because another process may have ended the claim.
   * @default other processes never consider a running process dead
   */
  seenSince?(): number

  /**
   * How long a process that counts as ended may only have been cut off from the backend, in milliseconds. Other processes
   * take its jobs over at once. But before a job fails because only that process may know what became of its submit, they
   * wait for this long, so that the process can return.
   * @default 0: a process that counts as ended never returns
   */
  readonly mayReturnMs?: number
}
