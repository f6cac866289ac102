import type { ServiceParts } from '../contracts/service-parts.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { toleranceMs } from '../clock/clock-steps.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { isClaimFromAhead, isExpired } from '../job/deleted-job.ts'
import { fileKeyOf } from '../job/file-key.ts'
import { nextJob } from '../job/job-machine.ts'
import { isClaimed } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { shortText } from '../text/short-text.ts'
import { holderOf } from '../claims/holder-of.ts'
import type { Ending } from '../contracts/ending.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { lastUsed } from '../lists/last-used.ts'

const dayMs = 24 * 60 * 60 * 1000
const deletesAtATime = 16
const deleteLimitMs = 10_000

/**
 * The shortest and the longest pause before files are deleted again whose deletion has failed, in milliseconds. Within
 * these bounds the pause is as long as the time since the job expired or was deleted.
 */
const undeletablePauseMs = { least: 60_000, most: 6 * 60 * 60_000 }
/**
 * A process that was frozen or cut off may still store a file for this many milliseconds after its claim has run out.
 * That process then tries to delete the file again for as long. This is longer than the copy of an output may take.
 */
const lateFileMs = 20 * 60_000
/** The pause between two looks whether such a process has ended or stored a file, in milliseconds. */
const lateFilePauseMs = 30_000

/** When a job that was created at `createdAt` expires. A day is always 24 hours. */
export function expiryOf(createdAt: number, retentionDays: number): number {
  return createdAt + retentionDays * dayMs
}

/** What the deletion of jobs works with. */
export interface RetentionContext extends Pick<
  ServiceParts,
  'clock' | 'files' | 'jobs' | 'log' | 'processes' | 'spool' | 'sureNow'
> {
  readonly pauses: DeletionPauses
  /** Deletes the files that plugins keep for a job. @throws when one has failed to */
  readonly deletePluginFiles: (job: Job) => Promise<void>
}

/**
 * Deletes up to `limit` expired jobs. The files of a job are deleted before its row: if the process ends in between, a
 * later sweep finds the remaining files through the row. Jobs whose outputs are being copied are left to a later sweep,
 * because otherwise a file could be stored after its row was deleted. For the same reason, the row of a job whose claim
 * has run out stays until the process of the claim has ended, but for at most 20 minutes.
 * @returns how many jobs the store has listed that have certainly expired, at most `limit`
 */
export async function deleteExpired(context: RetentionContext, limit: number): Promise<number> {
  const { jobs, clock, sureNow, pauses } = context
  const listed = await jobs.expired(clock.now(), limit + pauses.count())
  const expired = listed
    .filter((job) => isExpired(job, sureNow()) && !pauses.isPaused(job.id))
    .slice(0, limit)
  const waiting = expired.filter((job) => !isClaimed(job, clock.now()))
  const deleteNext = async (): Promise<void> => {
    for (let job = waiting.pop(); job; job = waiting.pop()) await deleteWhole(context, job)
  }
  await Promise.all(waiting.slice(0, deletesAtATime).map(deleteNext))
  return expired.length
}

/**
 * Deletes one job that has just been marked as expired. If its outputs are being copied, deletes the files that are
 * there, and leaves the rest to a later sweep.
 */
export async function deleteGone(context: RetentionContext, job: Job): Promise<void> {
  await (isClaimed(job, context.clock.now()) ? deleteAllFiles(context, job) : deleteWhole(context, job))
}

async function deleteWhole(context: RetentionContext, job: Job): Promise<void> {
  try {
    await deleteAllFiles(context, job)
  } catch (fault) {
    return deleteLater(context, job, fault)
  }
  if (await mayGetFile(context, job)) return putOff(context, job, lateFilePauseMs)
  context.pauses.remove(job.id)
  const emptied = keepsKey(job, context.clock.now()) && nextJob(job, { type: 'emptied' }, context.clock.now())
  if (typeof emptied === 'object') await replaceJob(context.jobs, emptied, job)
  else await context.jobs.delete(job.id)
}

/** Whether a create with the key of this deleted job is to be refused. */
function keepsKey({ idempotency, deletedAt, expiresAt }: Job, now: number): boolean {
  return idempotency !== undefined && deletedAt !== undefined && now < expiresAt
}

/**
 * Whether a process may still store a file of the job, because its claim has run out without being given up. If that
 * process then ended before it deleted the file again, no process could find the file without the job's row.
 */
async function mayGetFile({ processes, clock }: RetentionContext, job: Job): Promise<boolean> {
  const { claim: { until, token } = {} } = job
  // The service has taken the token out of the claims of processes that have ended.
  if (until === undefined || token === undefined) return false
  if (clock.now() >= until + lateFileMs) return false
  return (await holderOf(token, processes).catch(() => undefined)) !== 'ended'
}

/**
 * Sets a time for the next try to delete the job, so that jobs whose files can't be deleted do not hold up the others.
 * Writes to the log the first time.
 */
async function deleteLater(context: RetentionContext, job: Job, fault: unknown): Promise<void> {
  const { least, most } = undeletablePauseMs
  const pauseMs = Math.min(most, Math.max(least, context.clock.now() - (job.deletedAt ?? job.expiresAt)))
  const isTold = hasFailedBefore(job) || context.pauses.has(job.id)
  await putOff(context, job, pauseMs)
  if (isTold) return
  const whatHappened = job.deletedAt === undefined ? 'has expired' : 'was deleted'
  context.log.error(
    `${whose(job)} ${whatHappened}, but its files can't be deleted; the tries go on: ${shortText(fault)}`,
    fieldsOf(job),
  )
}

/** Whether an earlier try has failed. A row that only waits for a late file is put off for a shorter time. */
function hasFailedBefore({ deleteAt, updatedAt = 0 }: Job): boolean {
  return deleteAt !== undefined && deleteAt - updatedAt >= undeletablePauseMs.least
}

/**
 * Puts off the next try to delete the job. An instant of a clock that is not believed is not stored: if that clock is days
 * ahead, the content of the job would stay until then.
 */
async function putOff(context: RetentionContext, job: Job, pauseMs: number): Promise<void> {
  const { jobs, clock, sureNow, pauses } = context
  const now = clock.now()
  const isSure = now - sureNow() <= toleranceMs
  if (isSure) pauses.remove(job.id)
  else pauses.add(job.id, pauseMs)
  if (!isSure && !isClaimFromAhead(job, now)) return
  const later = nextJob(job, { type: 'undeletable', retryAt: isSure ? now + pauseMs : 0 }, now)
  if (typeof later !== 'string') await replaceJob(jobs, later, job)
}

/**
 * Deletes files that this process has just stored, if the job was deleted in the meantime. No other process would find
 * these files, and they would stay for ever. So while a store is unavailable, it tries again for 20 minutes.
 * @param job the job with these files
 */
export function deleteStrays(
  job: Job,
  context: Pick<RetentionContext, 'jobs' | 'files' | 'spool' | 'clock' | 'sureNow'> & {
    readonly givingUp: Ending
  },
): Promise<void> {
  const { jobs, clock, sureNow, givingUp } = context
  const deleteOnce = async () => {
    const stored = await jobs.get(job.id)
    if (!stored || isExpired(stored, sureNow())) await deleteFiles(job, context)
  }
  return persist(deleteOnce, { clock, givingUp, forMs: lateFileMs })
}

/** Deletes the job's files from the file store and the spool, including those of a copy that was interrupted. */
async function deleteFiles(
  job: Job,
  { files, spool, clock }: Pick<RetentionContext, 'files' | 'spool' | 'clock'>,
): Promise<void> {
  for (const [index, { fileKey = fileKeyOf(job, index) }] of job.outputs.entries()) {
    await withinLimit(clock, deleteLimitMs, 'file store', () => files.delete(fileKey))
    if (spool) await withinLimit(clock, deleteLimitMs, 'spool', () => spool.delete(fileKey))
  }
}

/** Deletes the files that plugins keep for the job, and then the job's own files, even if a plugin fails. */
async function deleteAllFiles(
  context: Pick<RetentionContext, 'clock' | 'deletePluginFiles' | 'files' | 'spool'>,
  job: Job,
): Promise<void> {
  try {
    await context.deletePluginFiles(job)
  } finally {
    await deleteFiles(job, context)
  }
}

/** Deletes the files of the jobs that the job store drops to make room. */
export function deleteForgotten(
  jobs: Pick<JobStore, 'onForgotten'>,
  { log, ...context }: Omit<RetentionContext, 'jobs' | 'processes' | 'pauses'>,
): void {
  jobs.onForgotten?.((job) => {
    deleteAllFiles(context, job).catch((fault: unknown) =>
      log.error(
        `The job store has dropped job ${job.id} to make room, but its files can't be deleted: ${shortText(fault)}`,
        fieldsOf(job),
      ),
    )
  })
}

/** How many deletions one process puts off without a note in the job store. */
const maxRemembered = 1000

/** The deletions that this process has put off by its uptime, because no instant of its clock is to be relied on. */
export interface DeletionPauses {
  /** How many there are. Their jobs are still listed as expired. */
  count(): number
  /** Whether the deletion of the job was put off, be the pause over or not. */
  has(jobId: string): boolean
  /** Whether the pause is not over. */
  isPaused(jobId: string): boolean
  add(jobId: string, pauseMs: number): void
  remove(jobId: string): void
}

export function deletionPauses(clock: Clock): DeletionPauses {
  const untilUptime = lastUsed<number>(maxRemembered)
  return {
    count: () => untilUptime.size,
    has: (jobId) => untilUptime.has(jobId),
    isPaused: (jobId) => (untilUptime.get(jobId) ?? Number.NEGATIVE_INFINITY) > clock.uptime(),
    add: (jobId, pauseMs) => void untilUptime.set(jobId, clock.uptime() + pauseMs),
    remove: (jobId) => void untilUptime.delete(jobId),
  }
}
