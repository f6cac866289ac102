import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import type { Ending } from '../pacing/ending.ts'
import { isFinished, nextJob } from '../job/job-machine.ts'
import { replaceJob } from '../job/replace-job.ts'
import { persist } from '../pacing/persist.ts'

/** For how long to try to withdraw a job while the store is unavailable, in milliseconds. */
const withdrawingMs = 5 * 60_000

/** What {@link withdrawJob} works with. */
export interface WithdrawContext {
  readonly jobs: JobStore
  readonly clock: Clock
  readonly log: Log
  readonly givingUp: Ending
}

/**
 * Deletes a job that may have been stored although its owner got the answer that it was not. It is only for jobs
 * without an idempotency key, whose id no client can know. It first writes that the job has expired, so that no process
 * submits it from then on, however long this process takes to delete the row. If it can't delete the row, a sweep does.
 * @param job the job as it was to be inserted. If it has a claim, no process uses that claim
 */
export async function withdrawJob({ jobs, clock, log, givingUp }: WithdrawContext, job: Job): Promise<void> {
  const withdraw = async () => {
    let stored = await jobs.get(job.id)
    while (stored) {
      const event = { type: 'withdrawn', unusedClaim: job.claimToken } as const
      const withdrawn = nextJob(stored, event, clock.now())
      if (typeof withdrawn === 'string') return tellKept(stored)
      const { written, instead } = await replaceJob(jobs, withdrawn, stored.revision)
      if (written) return jobs.delete(job.id)
      stored = instead
    }
  }

  function tellKept(stored: Job): void {
    if (!isFinished(stored))
      log.warn(
        `${whose(stored)} continues, although its owner got the answer that it could not be stored.`,
        fieldsOf(stored),
      )
  }

  await persist(withdraw, { clock, givingUp, forMs: withdrawingMs }).catch(() => {})
}
