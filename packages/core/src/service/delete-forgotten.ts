import type { Job } from '../contracts/job.ts'
import { deleteFiles, type RetentionContext } from '../job/retention.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'

/** Deletes the files of a job that the store has dropped to make room. Tells the log when they can't be deleted. */
export function deleteForgotten({ log, ...context }: Omit<RetentionContext, 'jobs'>, job: Job): void {
  deleteFiles(job, context).catch((fault: unknown) =>
    log.error(
      `The job store has dropped job ${job.id} to make room, but its files can't be deleted: ${shortText(fault)}`,
      fieldsOf(job),
    ),
  )
}
