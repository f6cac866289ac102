import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isExpired } from '../job/deleted-job.ts'
import { isFinished } from '../job/job-state.ts'

/**
 * @returns the job, if its owner may see it
 * @throws GenerationError `job_not_found`, for any other job
 */
export function shownTo(owner: string, job: Job | undefined, now: number): Job {
  if (job && job.owner === owner && isShown(job, now)) return job
  throw noSuchJob()
}

/** Whether clients may read the job. One that is still processing is never out of date, whatever the clock says. */
export function isShown(job: Job, now: number): boolean {
  return isFinished(job) ? !isExpired(job, now) : job.deletedAt === undefined
}

/** The error for a job that is unknown, has expired, or belongs to another owner. */
export function noSuchJob(): GenerationError {
  return new GenerationError('job_not_found', 'There is no such job, or it has expired.')
}
