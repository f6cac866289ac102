import type { Job } from '../contracts/job.ts'
import { atRest } from './ended-job.ts'
import { without } from './without.ts'

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

/**
 * The job of which files are left to delete at `retryAt`. A claim that lasts beyond `latest` was made before the clock was
 * put back, and does not tell when it runs out: it counts from now on.
 */
export function undeletedJob(
  job: Job,
  retryAt: number,
  { now, latest }: { now: number; latest: number },
): Job {
  return { ...job, deleteAt: retryAt, ...(isClaimFromAhead(job, latest) && { claimedUntil: now }) }
}

/** Whether the claim lasts longer than any claim that is made now, up to `latest`. */
export function isClaimFromAhead({ claimedUntil }: Job, latest: number): boolean {
  return claimedUntil !== undefined && claimedUntil > latest
}

/**
 * The job as its owner's delete leaves it: its files are to be deleted at once, whatever a clock shows that is put back
 * later. If its row is to keep a key, it belongs to nobody from now on, because servers of earlier releases look at the
 * owner and not at `deletedAt`.
 */
export function deletedJob(job: Job, now: number): Job {
  return job.idempotency
    ? { ...job, owner: '', deletedAt: now, deleteAt: 0, expiresAt: now + keyMs }
    : { ...job, deletedAt: now, expiresAt: 0 }
}

/** What is left of a deleted job whose files are gone: its key, until the row is deleted, and nothing of its content. */
export function keyOnly(job: Job): Job {
  const rest = without(
    atRest(job),
    'task',
    'metadata',
    'webhook',
    'handle',
    'error',
    'submitToken',
    'claimToken',
  )
  return { ...rest, input: {}, outputs: [], deleteAt: job.expiresAt } as Job
}
