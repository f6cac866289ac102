import type { WatchedStore } from '../contracts/watched-store.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { nextJob } from '../job/job-machine.ts'
import { replaceJob } from './replace-job.ts'
import { lastUsed } from '../sharing/last-used.ts'

const maxRemembered = 10_000

/**
 * Remembers claims whose write has failed, or was answered too late. The claim may still be in the store, or get there
 * later. Its job then looks as if it might have been submitted, but this process knows that it was not.
 */
export interface UnusedClaims {
  add(jobId: string, claimToken: string): void
  /** Whether this process has made an unused claim of the job. */
  has(jobId: string): boolean
  /** Gives up the claim of the job if this process knows that it is unused. @returns the job as it is then stored */
  givenUp(job: Job | undefined): Promise<Job | undefined>
}

/**
 * Makes the memory of one service, which holds the claims of at most 10000 jobs.
 * @param onWritten called with each job whose claim was given up. If the owner has canceled the job, it has failed
 */
export function unusedClaims(jobs: WatchedStore, clock: Clock, onWritten: (job: Job) => void): UnusedClaims {
  const claims = lastUsed<readonly string[]>(maxRemembered)

  async function givenUp(job: Job | undefined): Promise<Job | undefined> {
    if (job?.phase !== 'submitting' || !claims.get(job.id)?.includes(job.submitToken ?? '')) return job
    const now = clock.now()
    // Another process may have searched for the task in the meantime, and given up the claim for that.
    const isFree = job.claimedUntil === undefined
    const token = job.submitToken ?? ''
    const claimed = isFree ? nextJob(job, { type: 'claim', until: now, token }, now) : job
    const refused =
      typeof claimed === 'string' ? claimed : nextJob(claimed, { type: 'refused', retryAt: now }, now)
    if (typeof refused === 'string') return job
    const next = { ...refused, revision: job.revision + 1 }
    const { written, instead } = await replaceJob(jobs, next, job)
    if (!written) return givenUp(instead)
    onWritten(written)
    return written
  }

  return {
    add: (jobId, claimToken) => void claims.set(jobId, [...(claims.get(jobId) ?? []), claimToken]),
    has: (jobId) => claims.has(jobId),
    givenUp,
  }
}
