import type { Job } from '../contracts/job.ts'

/**
 * The id by which the vendor knows the task of the job: its `handle`, if that is a text, or the text `id` of the handle.
 * @returns `undefined` when the job has no handle, or one without such an id
 */
export function taskIdOf({ handle }: Pick<Job, 'handle'>): string | undefined {
  const id = typeof handle === 'object' && handle !== null && 'id' in handle ? handle['id'] : handle
  return typeof id === 'string' ? id : undefined
}
