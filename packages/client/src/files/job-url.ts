import type { JobReference } from '../wire/job.ts'
import { idOf } from '../wire/job-path.ts'

/** An output of a job, to which an input of another job refers. */
export interface OutputReference {
  /** The id of the job. */
  readonly jobId: string
  /** Which output of the job, from 0. */
  readonly n: number
}

const form = /^job:\/\/([\w-]{1,64})(?:#(\d{1,4}))?$/

/**
 * The text by which an input refers to an output of a job of the same owner, if the service takes uploads. The job need not have
 * finished: the new job waits for it.
 * @param n which output of the job, from 0. @default 0
 * @example await client.create({ model: 'film', image: jobUrl(picture) })
 */
export function jobUrl(job: JobReference, n = 0): string {
  return `job://${idOf(job)}#${n}`
}

/** Reads a text of an input. @returns `undefined` for a text that is no reference to an output */
export function readJobUrl(text: string): OutputReference | undefined {
  const [, jobId, n = '0'] = form.exec(text) ?? []
  return jobId === undefined ? undefined : { jobId, n: Number(n) }
}
