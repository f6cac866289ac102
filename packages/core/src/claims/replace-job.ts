import type { Job } from '../contracts/job.ts'
import type { JobStore, WatchedStore } from '../contracts/storage/job-store.ts'
import type { Reservation } from '../contracts/plugin/service-plugin.ts'
import { timelessJob } from '../job/instants.ts'

/** The outcome of a write to a stored job. */
export interface Replaced {
  /** The job as it is stored now, if it was written. */
  readonly written?: Job
  /** The stored job, if another writer has changed it in the meantime; absent too when the job is gone. */
  readonly instead?: Job | undefined
  /** The error of the reservation, if the job does not fit into one of its budgets. Nothing was written. */
  readonly refusal?: Error
}

/**
 * Replaces the stored job if it is still `before`. Every write to a stored job is made here.
 * @param reservation what `next` reserves more than `before`. @default nothing
 * @throws the store's error. The job may have been replaced nevertheless: if the same call is made again, it returns
 *   the job of the first call as `written`, with the instants of that call
 */
export function replaceJob(
  jobs: WatchedStore,
  next: Job,
  before: Job,
  reservation?: Reservation,
): Promise<Replaced> {
  return jobs.replace(next, before.revision, reservation?.budgets).then((outcome) => {
    if (outcome === 'replaced') return writtenJob(jobs, next, before)
    if (reservation && typeof outcome === 'object')
      return { refusal: reservation.refusal(outcome.takenMicroUsd) }
    return storedInstead(jobs, next).then((replaced) =>
      replaced.written ? writtenJob(jobs, replaced.written, before) : replaced,
    )
  })
}

function writtenJob(jobs: WatchedStore, written: Job, before: Job): Replaced {
  jobs.wrote(written, before)
  return { written }
}

async function storedInstead(jobs: Pick<JobStore, 'get'>, next: Job): Promise<Replaced> {
  const stored = await jobs.get(next.id)
  return stored && isSame(stored, next) ? { written: stored } : { instead: stored }
}

/**
 * Whether the stored job is the one that this process has written, perhaps by an earlier try of the same write, whose
 * instants differ. Neither revision nor claim token shows it: an earlier renewal of the same claim may have reached the store
 * late, and a callback, the owner's wishes and deliveries keep the token of this process in the job that they write.
 */
function isSame(stored: Job, written: Job): boolean {
  return contentOf(stored) === contentOf(written)
}

/** Everything that writes change in a job, as a text. Of its instants, only those have their values that owners can change. */
function contentOf(job: Job): string {
  const { input: _, shownInput: __, ...content } = timelessJob(job)
  return JSON.stringify([content, job.expiresAt, job.cancelAskedAt], inOrder)
}

/** Puts the names of an object in order, for `JSON.stringify`. A store may keep them in another order. */
function inOrder(_name: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
}
