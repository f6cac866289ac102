import type { Job } from '../contracts/job.ts'
import { isFinished } from './job-state.ts'

/**
 * Whether a write has ended the job. A job that was withdrawn has no end, because its client was told that there is no job.
 * @param before the job before the write. `undefined` for a new job
 */
export function hasJustEnded(job: Job, before: Job | undefined): boolean {
  return isFinished(job) && job.completedAt !== undefined && !(before && isFinished(before))
}
