import type { FileDetails } from '../contracts/storage/file-store.ts'
import type { Job } from '../contracts/job.ts'
import { outputName } from '../text/output-name.ts'

/**
 * The key of a job's output in the file store. It follows from the job's id and the output's index, so that the file
 * can be found even if the process died before it stored the key in the job.
 */
export function fileKeyOf({ id }: Job, index: number): string {
  return `${id}-${index}`
}

/** The file of an output, as the file store gets it. */
export interface NamedFile {
  /** Its key. */
  readonly fileKey: string
  /** The details for the store. */
  readonly details: FileDetails & { readonly owner: string }
}

/** The file of a job's output. */
export function namedFile(job: Job, index: number): NamedFile {
  return { fileKey: fileKeyOf(job, index), details: { owner: job.owner, name: outputName(job, index) } }
}
