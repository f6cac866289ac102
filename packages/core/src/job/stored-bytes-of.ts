import type { Job } from '../contracts/job.ts'

/** How many bytes the outputs of a job take in the file store, for stores that have `storedBytes`. */
export function storedBytesOf({ outputs }: Pick<Job, 'outputs'>): number {
  return outputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}
