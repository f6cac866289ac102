import type { JobNews } from './job-news.ts'
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

  /** Carries what is told about running jobs and never stored. @default it is told to nobody */
  readonly news?: NewsSignals

  /**
   * Ends the signals: releases connections and timers. The service's `close()` calls it once its work has ended; it may
   * be called again. @default there is nothing to release
   */
  close?(): Promise<void>
}

/** Tells those who listen to a job how far its task is. News may be lost, as a whole or without their preview. */
export interface NewsSignals {
  /** Tells the news to everybody who listens to the job now. Never throws. */
  publish(jobId: string, news: JobNews): void

  /**
   * Calls `hear` with each of the job's news. `hear` never throws.
   * @returns a function that ends the subscription
   */
  subscribe(jobId: string, hear: (news: JobNews) => void): () => void
}
