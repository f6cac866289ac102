import type { TroubleTeller } from '../steps/trouble-teller.ts'
import type { WatchedStore } from '../contracts/watched-store.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { Scheduler } from '../contracts/scheduler.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'

/** What {@link cancelJob} works with. */
export interface CancelContext {
  readonly jobs: WatchedStore
  readonly clock: Clock
  readonly signals: JobSignals
  readonly scheduler: Scheduler
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
