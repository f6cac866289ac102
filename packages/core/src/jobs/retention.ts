import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { fileKeyOf } from './file-key.ts'
import { isClaimed } from './job-machine.ts'

const dayMs = 24 * 60 * 60 * 1000

/** When a job created at `createdAt` is forgotten. A day is 24 hours, whatever the calendar says. */
export function expiryOf(createdAt: number, retentionDays: number): number {
  return createdAt + retentionDays * dayMs
}

/** Whether nobody may see the job any more, swept or not. */
export function isExpired(job: Job, now: number): boolean {
  return now >= job.expiresAt
}

/**
 * Deletes up to `limit` expired jobs, files first, so that a sweep cut short leaves a row that leads to the rest. Whose
 * outputs are being copied is left to the next sweep, or a file would come after its row has gone.
 */
export async function deleteExpired(
  jobs: JobStore,
  files: FileStore,
  log: Log,
  now: number,
  limit: number,
): Promise<void> {
  for (const job of await jobs.expired(now, limit)) {
    if (isClaimed(job, now)) continue
    try {
      await deleteFiles(job, files)
      await jobs.delete(job.id)
    } catch (error) {
      log.error(`The expired job ${job.id} could not be deleted; the next sweep tries again.`, error)
    }
  }
}

/** Deletes what the job has in the file store, and what a copy that broke off may have left there. */
export async function deleteFiles(job: Job, files: FileStore): Promise<void> {
  for (const [index, { fileKey }] of job.outputs.entries())
    await files.delete(fileKey ?? fileKeyOf(job, index))
}
