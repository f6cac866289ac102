import type { Job } from './job.ts'

/**
 * Tells those who wait for a job that the stored job has changed. Whoever gets a signal without the job reads the job
 * from the store. Signals may be lost.
 */
export interface JobSignals {
  /**
   * Signals that the stored job has changed.
   * @param job the job as it was just written, for those who wait in this process. @default they read the store
   */
  publish(jobId: string, job?: Job): void

  /**
   * Calls `wake` after each `publish` for the job, with the job that was published if it is known here. `wake` never
   * throws.
   * @returns a function that ends the subscription
   */
  subscribe(jobId: string, wake: (job?: Job) => void): () => void

  /**
   * Ends the signals: releases connections and timers. The service's `close()` calls it once its work has ended; it may
   * be called again. @default there is nothing to release
   */
  close?(): Promise<void>
}
