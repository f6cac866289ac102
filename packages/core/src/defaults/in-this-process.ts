import type { JobStore } from '../contracts/storage/job-store.ts'

const inThisProcess = new WeakSet<JobStore>()

/** Marks a store that has no errors, and answers every call at once, because its jobs are in the memory of this process. */
export function markInThisProcess(jobs: JobStore): JobStore {
  inThisProcess.add(jobs)
  return jobs
}

/** Whether {@link markInThisProcess} has marked the store. */
export function isInThisProcess(jobs: JobStore): boolean {
  return inThisProcess.has(jobs)
}
