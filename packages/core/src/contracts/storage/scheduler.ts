/**
 * Wakes jobs when their next step is due. A wake-up that is lost or comes twice does no harm: a sweep finds due jobs in
 * the store, and the store decides who may take the step.
 */
export interface Scheduler {
  /**
   * From now on, calls `wake` with the id of each job whose time has come. This includes times that were set before
   * `start`. `wake` never throws.
   */
  start(wake: (jobId: string) => void): void

  /**
   * Sets the time at which to wake the job once, in milliseconds since the Unix epoch, by the `clock` of the backend; by that
   * of the machine for a backend without one. Replaces an earlier time for the same job. Never throws.
   */
  wakeAt(jobId: string, at: number): void

  /** Ends all wake-ups and releases every timer. */
  stop(): Promise<void>
}
