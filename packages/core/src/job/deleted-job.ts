import type { Job } from '../contracts/job.ts'
import type { EventOf } from './job-event.ts'
import { atRest, without } from './job-fields.ts'

/**
 * For how long a deleted job keeps its idempotency key, in milliseconds: one day. A create that was sent before the delete
 * and is read after it would otherwise be paid for again.
 */
const keyMs = 24 * 60 * 60_000

/** Whether the job has expired or was deleted. From then on no client can read it, even if its row is still there. */
export function isExpired({ deletedAt, expiresAt }: Job, now: number): boolean {
  return deletedAt !== undefined || now >= expiresAt
}

/**
 * If its row is to keep a key, the job belongs to nobody from now on, because servers of earlier releases look at the owner
 * and not at `deletedAt`.
 */
export function deletedJob(job: Job, now: number): Job {
  return job.idempotency
    ? { ...job, owner: '', deletedAt: now, deleteAt: now, expiresAt: now + keyMs }
    : { ...job, deletedAt: now, expiresAt: 0 }
}

export function emptiedJob(job: Job): Job {
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

export function undeletableJob(job: Job, _now: number, { retryAt }: EventOf<'undeletable'>): Job {
  return { ...job, deleteAt: retryAt }
}
