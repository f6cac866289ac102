import type { WatchedStore } from '../contracts/watched-store.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import type { Ending } from '../contracts/ending.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { pause, persist } from '../pacing/persist.ts'

/** For how long to try to withdraw a job while the store is unavailable, in milliseconds. */
const withdrawingMs = 5 * 60_000
/**
 * For how long to wait after each look that has not found the job, in milliseconds: its insert may reach the store later.
 * The last look comes before the claim of the insert can run out.
 */
const pausesMs = [2_000, 18_000, 0]

/** What {@link withdrawJob} works with. */
export interface WithdrawContext {
  readonly jobs: WatchedStore
  readonly clock: Clock
  readonly log: Log
  readonly givingUp: Ending
}

/**
 * Deletes a job that may have been stored although its owner got the answer that it was not. It is only for jobs
 * without an idempotency key, whose id no client can know. It first writes that the job has expired, so that no process
 * submits it from then on, however long this process takes to delete the row. If it can't delete the row, a sweep does.
 * It looks for the job up to three times within 20 seconds, because the insert may still be under way.
 * Its parameter is the id and not the job, because the input of a refused job must not stay in memory.
 * @param unusedClaim the token of the claim with which the job was to be inserted. No process uses that claim
 */
export async function withdrawJob(
  context: WithdrawContext,
  id: string,
  unusedClaim: string | undefined,
): Promise<void> {
  const { jobs, clock, log } = context

  /** @returns the job as it was found in the store */
  const withdraw = async () => {
    const readJob = await jobs.get(id)
    for (let stored = readJob; stored;) {
      const withdrawn = nextJob(stored, { type: 'withdrawn', unusedClaim }, clock.now())
      if (typeof withdrawn === 'string') {
        if (!isFinished(stored))
          log.warn(
            `${whose(stored)} continues, although its owner was told that it is not stored.`,
            fieldsOf(stored),
          )
        break
      }
      const { written, instead } = await replaceJob(jobs, withdrawn, stored)
      if (written) await jobs.delete(id)
      stored = instead
    }
    return readJob
  }

  for (const pauseMs of pausesMs) {
    if (await persist(withdraw, { ...context, forMs: withdrawingMs }).catch(() => true)) return
    await pause(pauseMs, context)
  }
}
