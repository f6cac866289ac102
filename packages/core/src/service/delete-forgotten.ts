import type { Job } from '../contracts/job.ts'
import { deleteFiles, type RetentionContext } from '../job/retention.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'

/** Makes the function that deletes the files of a job which the job store has dropped to make room. */
export function deleteForgotten(context: Omit<RetentionContext, 'jobs'>): (job: Job) => void {
  return (job) => {
    deleteFiles(job, context).catch((fault: unknown) =>
      context.log.error(
        `The job store has dropped job ${job.id} to make room, but its files can't be deleted: ${shortText(fault)}`,
        fieldsOf(job),
      ),
    )
  }
}
