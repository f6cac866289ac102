import type { Job } from '../contracts/job.ts'

/** The key of a job's output in the file store: known before the file is, so that the job leads to whatever there is of it. */
export function fileKeyOf({ id }: Job, index: number): string {
  return `${id}-${index}`
}
