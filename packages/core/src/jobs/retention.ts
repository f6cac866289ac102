import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'

const dayMs = 24 * 60 * 60 * 1000

/** When a job created at `createdAt` is forgotten. A day is 24 hours, whatever the calendar says. */
export function expiryOf(createdAt: number, retentionDays: number): number {
  return createdAt + retentionDays * dayMs
}

/** Whether nobody may see the job any more, swept or not. */
export function isExpired(job: Job, now: number): boolean {
  return now >= job.expiresAt
}

/** Deletes up to `limit` expired jobs, files first, so that a sweep cut short leaves a row that leads to the rest. */
export async function deleteExpired(
  jobs: JobStore,
  files: FileStore,
  log: Log,
  now: number,
  limit: number,
): Promise<void> {
  for (const job of await jobs.expired(now, limit)) {
    try {
      for (const { fileKey } of job.outputs) if (fileKey !== undefined) await files.delete(fileKey)
      await jobs.delete(job.id)
    } catch (error) {
      log.error(`The expired job ${job.id} could not be deleted; the next sweep tries again.`, error)
    }
  }
}
