import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { isClaimed, mayStep, isFinished } from '../job/job-state.ts'
import { upTo } from '../pacing/within-limit.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isExpired } from '../job/deleted-job.ts'

/** How long a client who reads or cancels a job waits for the provider's answer, in milliseconds. */
export const syncBudgetMs = 2000

/** What {@link synchronisedRead} works with. */
interface SynchronisedReadContext {
  /** Reads the owner's job as it is stored. */
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly advancer: Pick<JobAdvancer, 'advance' | 'isUnderWay'>
  readonly readers: WaitingRoom
  readonly clock: Clock
}

/** Reads a job as documented at `GenerationService.get`: after a poll of its provider, if a poll is allowed now. */
export function synchronisedRead({ read, advancer, readers, clock }: SynchronisedReadContext): typeof read {
  return async (id, owner) => {
    const job = await read(id, owner)
    const isOwn = mayStep(job, clock.now()) || advancer.isUnderWay(id)
    const step = isOwn ? advancer.advance(id) : undefined
    if (job.phase !== 'running') return job
    if (step) {
      await upTo(clock, syncBudgetMs, step)
      return read(id, owner)
    }
    const isAtWork = (latest: Job) => isClaimed(latest, clock.now()) && !latest.claim?.isQuiet
    if (!isAtWork(job)) return job
    const isSynchronised = (next: Job) => next.revision > job.revision && !isAtWork(next)
    return readers.wait({ id, owner, latestKnown: job, isWanted: isSynchronised, budgetMs: syncBudgetMs })
  }
}

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
