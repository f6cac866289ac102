import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import type { Ending } from '../pacing/ending.ts'
import { isFinished, nextJob } from '../job/job-machine.ts'
import { replaceJob } from '../job/replace-job.ts'
import { persist } from '../pacing/persist.ts'

/** For how long to try to withdraw a job while the store is away, in milliseconds. */
const withdrawingMs = 5 * 60_000

/** What {@link withdrawJob} works with. */
export interface WithdrawContext {
  readonly jobs: JobStore
  readonly clock: Clock
  readonly log: Log
  readonly givingUp: Ending
}

/**
 * Deletes a job that may have been stored although its owner was told that it was not. Only for jobs without an
 * idempotency key: nobody can know the id of such a job.
 * @param job the job as it was to be inserted. If it has a claim, nobody uses that claim
 */
export async function withdrawJob({ jobs, clock, log, givingUp }: WithdrawContext, job: Job): Promise<void> {
  const withdraw = async () => {
    const stored = await jobs.get(job.id)
    if (!stored) return
    // The job is claimed first, so that nobody submits it while it is being deleted.
    if (await isUnused(stored)) return jobs.delete(job.id)
    if (!isFinished(stored))
      log.warn(
        `${whose(stored)} goes on although its owner was told that it could not be stored.`,
        fieldsOf(stored),
      )
  }

  /** Whether a claim keeps everybody from submitting the job, which nobody has done so far. */
  async function isUnused(stored: Job): Promise<boolean> {
    if (job.claimToken !== undefined && stored.claimToken === job.claimToken) return true
    if (stored.phase !== 'accepted') return false
    const claim = { type: 'claim', until: clock.now() + 1000, token: crypto.randomUUID() } as const
    const claimed = nextJob(stored, claim, clock.now())
    return typeof claimed !== 'string' && (await replaceJob(jobs, claimed, stored.revision)) === 'written'
  }

  await persist(withdraw, { clock, givingUp, forMs: withdrawingMs }).catch(() => {})
}
