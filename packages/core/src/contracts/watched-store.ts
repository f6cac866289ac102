import type { Job } from './job.ts'
import type { JobStore } from './job-store.ts'

/** The job store of a service, with the one place that hears of each write. */
export interface WatchedStore extends JobStore {
  /** Called with each job that this process has written. Never throws. @param before `undefined` for a new job */
  wrote(job: Job, before: Job | undefined): void
}
