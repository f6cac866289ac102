import type { JobReference } from './job.ts'

/** The path of a job behind `/v1`. */
export function jobPath(job: JobReference): string {
  return `/jobs/${encodeURIComponent(idOf(job))}`
}

/** The id of a job, or of an upload. */
export function idOf(reference: JobReference): string {
  return typeof reference === 'string' ? reference : reference.id
}
