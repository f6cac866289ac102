/** The state of one process with its service, as plain data without secrets. Durations are in milliseconds. */
export interface ServiceHealth {
  /**
   * `closing`: `close` has been called. `unavailable`: the job store can't be reached, so every request fails.
   * `degraded`: requests are served, but a provider gets no new jobs. `ok`: none of these. A load balancer should send
   * requests while it is `ok` or `degraded`.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'closing'
  /** The job store, as it answered during the last second. */
  readonly store: {
    /** Whether the store has answered within 2 seconds. */
    readonly isReachable: boolean
    /** How long the store has taken to list the due jobs, or to fail. */
    readonly latencyMs: number
  }
  /**
   * The jobs in the store whose next step could begin now, whichever process takes it. Absent when the store is not
   * reachable.
   */
  readonly due?: {
    /** The number of these jobs. 100 stands for 100 or more. */
    readonly count: number
    /** How long the first of these jobs has waited; 0 when there are none. */
    readonly oldestLagMs: number
  }
  /**
   * The clock of the service. While it is not believed, nothing is deleted because it has expired: in the first hour of a
   * process, and for an hour after the clock was set. A process that has not seen the clock being set hides all the same what
   * has expired by it.
   */
  readonly clock: {
    /** Whether expired jobs and uploads are deleted by it. */
    readonly isBelieved: boolean
    /** The instant at which it will be believed, if it is not set again. Absent while it is believed. */
    readonly believedAt?: number
  }
  /** How many calls of `waitFor` wait in this process. */
  readonly waiters: number
  /** How many steps of jobs this process is taking. */
  readonly stepsUnderWay: number
  /** Every provider once. */
  readonly providers: readonly ProviderHealth[]
}

/** The state of one provider, as this process sees it. */
export interface ProviderHealth {
  /** The provider's name. */
  readonly name: string
  /**
   * `open` while the provider gets no new jobs, because too many calls to it have failed or because this process lacks
   * file descriptors or memory for calls. From time to time one job is tried nevertheless.
   */
  readonly breaker: 'closed' | 'open'
  /** How many steps are under way, at most the provider's `maxConcurrentJobs`. */
  readonly stepsUnderWay: number
  /** How many steps wait in this process because `maxConcurrentJobs` steps are under way. */
  readonly stepsWaiting: number
}
