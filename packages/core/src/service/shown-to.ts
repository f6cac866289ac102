import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isExpired } from '../job/deleted-job.ts'

/**
 * @returns the job, if its owner may see it
 * @throws GenerationError `job_not_found`, for any other job
 */
export function shownTo(owner: string, job: Job | undefined, now: number): Job {
  if (job && job.owner === owner && !isExpired(job, now)) return job
  throw noSuchJob()
}

/** The error for a job that is unknown, has expired, or belongs to another owner. */
export function noSuchJob(): GenerationError {
  return new GenerationError('job_not_found', 'There is no such job, or it has expired.')
}
