/**
 * Tells those who wait for a job that the stored job has changed. A signal has no content, so whoever gets one reads
 * the job from the store. Signals may be lost.
 */
export interface JobSignals {
  /** Signals that the stored job has changed. */
  publish(jobId: string): void

  /**
   * Calls `wake` after each `publish` for the job. `wake` never throws.
   * @returns a function that ends the subscription
   */
  subscribe(jobId: string, wake: () => void): () => void
}
