import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { whose } from './bad-ending.ts'
import { fileKeyOf } from './file-key.ts'
import { isClaimed, nextJob } from './job-machine.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'

const dayMs = 24 * 60 * 60 * 1000
const deletesAtATime = 16
const deleteLimitMs = 10_000

/**
 * How long to pause between tries to delete files that can't be deleted, in milliseconds: for as long as the job has been
 * expired, within these bounds.
 */
const undeletablePauseMs = { least: 60_000, most: 6 * 60 * 60_000 }

/** When a job created at `createdAt` is forgotten. A day is 24 hours, whatever the calendar says. */
export function expiryOf(createdAt: number, retentionDays: number): number {
  return createdAt + retentionDays * dayMs
}

/** Whether nobody may see the job any more, swept or not. */
export function isExpired(job: Job, now: number): boolean {
  return now >= job.expiresAt
}

export interface RetentionContext {
  readonly jobs: JobStore
  readonly files: FileStore
  readonly spool: FileStore | undefined
  readonly clock: Clock
  readonly log: Log
}

/**
 * Deletes up to `limit` expired jobs, files first, so that a sweep cut short leaves a row that leads to the rest. A job
 * whose outputs are being copied is left to a later sweep, or a file could be stored after its row was deleted.
 * @returns how many jobs were to be deleted
 */
export async function deleteExpired(context: RetentionContext, limit: number): Promise<number> {
  const { jobs, clock } = context
  const expired = await jobs.expired(clock.now(), limit)
  const waiting = expired.filter((job) => !isClaimed(job, clock.now()))
  const deleteNext = async (): Promise<void> => {
    for (let job = waiting.pop(); job; job = waiting.pop()) await deleteJob(context, job)
  }
  await Promise.all(Array.from({ length: deletesAtATime }, deleteNext))
  return expired.length
}

async function deleteJob(context: RetentionContext, job: Job): Promise<void> {
  try {
    await deleteFiles(job, context)
  } catch (fault) {
    return deleteLater(context, job, fault)
  }
  await context.jobs.delete(job.id)
}

/** Sets the job aside, so that those whose files can't be deleted hold up none of the others, and tells of it once. */
async function deleteLater({ jobs, clock, log }: RetentionContext, job: Job, fault: unknown): Promise<void> {
  const now = clock.now()
  const { least, most } = undeletablePauseMs
  const pauseMs = Math.min(most, Math.max(least, now - job.expiresAt))
  const later = nextJob(job, { type: 'undeletable', retryAt: now + pauseMs }, now)
  if (typeof later !== 'string') await jobs.replace(later, job.revision)
  if (job.deleteAt === undefined)
    log.error(
      `${whose(job, undefined)} has expired, but its files can't be deleted; the tries go on: ${shortText(fault)}`,
    )
}

/** Deletes what the job has in the file store and its spool, and what a copy that broke off may have left there. */
export async function deleteFiles(
  job: Job,
  { files, spool, clock }: Pick<RetentionContext, 'files' | 'spool' | 'clock'>,
): Promise<void> {
  for (const [index, { fileKey = fileKeyOf(job, index) }] of job.outputs.entries()) {
    await withinLimit(clock, deleteLimitMs, 'file store', () => files.delete(fileKey))
    if (spool) await withinLimit(clock, deleteLimitMs, 'spool', () => spool.delete(fileKey))
  }
}
