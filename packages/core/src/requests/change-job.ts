import type { ServiceParts } from '../contracts/service-parts.ts'
import type { TroubleTeller } from '../steps/trouble-teller.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { isExpired } from '../job/deleted-job.ts'
import { deleteGone, type RetentionContext } from '../retention/retention.ts'
import { upTo } from '../pacing/within-limit.ts'
import { isWhole } from '../input/shown-input.ts'
import { isShown, noSuchJob } from './read-job.ts'

/** What {@link cancelJob} works with. */
interface CancelContext extends Pick<ServiceParts, 'clock' | 'jobs' | 'scheduler' | 'signals'> {
  readonly trouble: Pick<TroubleTeller, 'ended'>
}

/**
 * Ends a job that is not submitted yet. In a job that may have been submitted, records the owner's request, even while
 * a process holds a claim on the job. The next step then cancels the task at the provider.
 * @returns the job as stored. It has finished if this call or an earlier one has ended it; `undefined` when it is gone
 * @throws GenerationError `job_finished` when it had finished before any request to cancel it
 */
export async function cancelJob(
  { jobs, clock, signals, scheduler, trouble }: CancelContext,
  stored: Job,
): Promise<Job | undefined> {
  let job: Job | undefined = stored
  while (job) {
    if (isFinished(job) && job.cancelAskedAt === undefined)
      throw new GenerationError('job_finished', 'The job has finished, so it can not be canceled.')
    const next = nextJob(job, { type: 'cancelAsked' }, clock.now())
    // The request is recorded already, or the outputs are being stored.
    if (typeof next === 'string') return job
    const { written, instead } = await replaceJob(jobs, next, job)
    if (written) {
      signals.publish(job.id, written)
      if (isFinished(written)) trouble.ended(written)
      if (written.dueAt !== undefined) scheduler.wakeAt(job.id, written.dueAt)
      return written
    }
    job = instead
  }
  return undefined
}

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

/**
 * Checks that a failed job may be made again: it must be certain that it has cost nothing, and its input must be whole.
 * @returns the job
 * @throws the errors documented at `GenerationService.retry`
 */
export function checkRetry(job: Job | undefined, now: number): Job {
  if (!job || !isShown(job, now)) throw noSuchJob()
  if (!isFinished(job))
    throw new GenerationError('job_processing', 'The job is still processing. Retry it once it has failed.')
  const why = retryRefusal(job)
  if (why !== undefined) throw new GenerationError('invalid_request', `The job can't be retried: ${why}.`)
  return job
}

/**
 * Why a job that has ended can't be retried, in words that continue a sentence.
 * @returns `undefined` when `GenerationService.retry` may make it again
 */
export function retryRefusal({ phase, error, isCostKnown, costUsd, shownInput }: Job): string | undefined {
  if (phase === 'completed') return 'it has completed'
  if (error?.code === 'canceled') return 'its owner has canceled it'
  if (costUsd > 0) return `it has cost ${costUsd} USD`
  if (!isCostKnown) return 'it is unknown whether it has cost anything'
  return isWhole(shownInput) ? undefined : 'its input had a data URI or a very long text, which was not kept'
}
