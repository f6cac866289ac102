import type { Job } from '../contracts/job.ts'
import type { EventOf } from './job-event.ts'
import { atRest, without } from './job-fields.ts'
import { longestPauseMs } from './job-state.ts'

/**
 * For how long a deleted job keeps its idempotency key, in milliseconds: one day. A create that was sent before the delete
 * and is read after it would otherwise be paid for again.
 */
const keyMs = 24 * 60 * 60_000

/** Whether the job has expired or was deleted. From then on no client can read it, even if its row is still there. */
export function isExpired({ deletedAt, expiresAt }: Job, now: number): boolean {
  return deletedAt !== undefined || now >= expiresAt
}

/** Whether its owner has deleted the job. */
export function isGone({ deletedAt, expiresAt }: Job): boolean {
  return deletedAt !== undefined || expiresAt === 0
}

/** Whether the claim lasts longer than any claim that is made now: it was made before the clock was put back. */
export function isClaimFromAhead({ claim }: Job, now: number): boolean {
  return claim?.until !== undefined && claim.until > now + longestPauseMs
}

/**
 * Its files are to be deleted at once, whatever a clock shows that is put back later. If its row is to keep a key, the
 * job belongs to nobody from now on, because servers of earlier releases look at the owner and not at `deletedAt`.
 */
export function deletedJob(job: Job, now: number): Job {
  return job.idempotency
    ? { ...job, owner: '', deletedAt: now, deleteAt: 0, expiresAt: now + keyMs }
    : { ...job, deletedAt: now, expiresAt: 0 }
}

export function emptiedJob(job: Job): Job {
  const rest = without(atRest(job), 'metadata', 'webhook', 'handle', 'error', 'submitToken', 'claim')
  return { ...rest, outputs: [], deleteAt: job.expiresAt } as Job
}

/** A claim from before the clock was put back does not tell when it runs out: it counts from now on. */
export function undeletableJob(job: Job, now: number, { retryAt }: EventOf<'undeletable'>): Job {
  return {
    ...job,
    deleteAt: retryAt,
    ...(isClaimFromAhead(job, now) && { claim: { ...job.claim, until: now } }),
  }
}
