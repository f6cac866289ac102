import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { deleteFiles } from '../job/retention.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'

/** Has the files of the jobs deleted that the job store drops to make room. */
export function deleteForgotten(
  jobs: JobStore,
  { log, ...context }: Parameters<typeof deleteFiles>[1] & { readonly log: Log },
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
