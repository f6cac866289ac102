import type { Job } from '../contracts/job.ts'

/**
 * The key of a job's output in the file store. It follows from the job's id and the output's index, so that the file
 * can be found even if the process died before it stored the key in the job.
 */
export function fileKeyOf({ id }: Job, index: number): string {
  return `${id}-${index}`
}
