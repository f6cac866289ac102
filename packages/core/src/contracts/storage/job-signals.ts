import type { JobNews } from '../provider-report.ts'
import type { Job } from '../job.ts'

/**
 * Notifies waiting requests that a stored job has changed. A subscriber that gets a signal without the job reads the
 * job from the store. Signals may be lost.
 */
export interface JobSignals {
  /**
   * Signals that the stored job has changed.
   * @param job the job as it was just written. @default unknown: the subscribers read the job from the store
   */
  publish(jobId: string, job?: Job): void

  /**
   * Calls `wake` after each `publish` for the job, with the published job if this process has it. `wake` never throws.
   * @returns a function that ends the subscription
   */
  subscribe(jobId: string, wake: (job?: Job) => void): () => void

  /** Carries the news of running jobs, which are never stored. @default clients get no news */
  readonly news?: NewsSignals

  /**
   * Ends the signals: releases connections and timers. The service's `close()` calls it once its work has ended. It may
   * be called again.
   * @default there is nothing to release
   */
  close?(): Promise<void>
}

/** Passes on the news of running jobs. News may be lost, as a whole or without their preview. */
export interface NewsSignals {
  /** Sends the news to all current subscribers of the job. Never throws. */
  publish(jobId: string, news: JobNews): void

  /**
   * Calls `hear` with each of the job's news. `hear` never throws.
   * @returns a function that ends the subscription
   */
  subscribe(jobId: string, hear: (news: JobNews) => void): () => void
}
