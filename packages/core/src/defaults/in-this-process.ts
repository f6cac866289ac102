import type { JobStore } from '../contracts/storage/job-store.ts'
import type { Scheduler } from '../contracts/storage/scheduler.ts'

const inThisProcess = new WeakSet<JobStore | Scheduler>()

/**
 * Marks a store that has no errors, and answers every call at once, because its jobs are in the memory of this process; or a
 * scheduler that wakes this process, and no other one.
 */
export function markInThisProcess<Part extends JobStore | Scheduler>(part: Part): Part {
  inThisProcess.add(part)
  return part
}

/** Whether {@link markInThisProcess} has marked the store or the scheduler. */
export function isInThisProcess(part: JobStore | Scheduler): boolean {
  return inThisProcess.has(part)
}
