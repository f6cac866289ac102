import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { isExpired } from '../job/deleted-job.ts'
import { deleteGone, type RetentionContext } from '../retention/retention.ts'
import { upTo } from '../pacing/within-limit.ts'

/** How long a caller waits for the file store, in milliseconds. The sweep deletes what is left by then. */
const patienceMs = 2000

/**
 * Deletes a finished job. It first writes that the job has expired, so that no client can read the job from then on,
 * even if this process dies. Then it deletes the files and the row. The sweep deletes what can't be deleted now.
 * @throws GenerationError `job_processing` when the job has not finished
 */
export async function deleteJob(context: RetentionContext, readJob: Job): Promise<void> {
  const { jobs, clock, sureNow } = context
  let job: Job | undefined = readJob
  while (job && !isExpired(job, sureNow())) {
    if (!isFinished(job))
      throw new GenerationError(
        'job_processing',
        'The job is still processing. Cancel it, and delete it when it has finished.',
      )
    const deleted = nextJob(job, { type: 'deleted' }, clock.now())
    if (typeof deleted === 'string') throw new Error(`A ${job.phase} job refuses to be deleted: ${deleted}.`)
    const { written, instead } = await replaceJob(jobs, deleted, job)
    if (written) return upTo(clock, patienceMs, deleteGone(context, written))
    job = instead
  }
}
