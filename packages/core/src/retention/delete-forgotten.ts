import type { JobStore } from '../contracts/job-store.ts'
import { deleteFiles, type RetentionContext } from './retention.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'

/** Deletes the files of the jobs that the job store drops to make room. */
export function deleteForgotten(
  jobs: Pick<JobStore, 'onForgotten'>,
  { log, ...context }: Omit<RetentionContext, 'jobs' | 'processes' | 'pauses'>,
): void {
  jobs.onForgotten?.((job) => {
    deleteFiles(job, context).catch((fault: unknown) =>
      log.error(
        `The job store has dropped job ${job.id} to make room, but its files can't be deleted: ${shortText(fault)}`,
        fieldsOf(job),
      ),
    )
  })
}
