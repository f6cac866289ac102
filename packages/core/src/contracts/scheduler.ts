/**
 * What wakes jobs. Only a wake-up: a wake that is lost or comes twice does no harm, because a sweep finds what is due
 * in the store and the store decides who may step.
 */
export interface Scheduler {
  /** Calls `wake` with a job's id when its time has come. Before this, wakes are kept. `wake` never throws. */
  start(wake: (jobId: string) => void): void

  /**
   * Wakes the job once at `at` (milliseconds since the Unix epoch), in place of any earlier wish for the same job. Never
   * throws.
   */
  wakeAt(jobId: string, at: number): void

  /** No wake after this. Releases every timer. */
  stop(): Promise<void>
}
