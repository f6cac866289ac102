import { isFinished, type Job } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'
import { jobObject, jobStatus } from './job-object.ts'

/** After how many seconds a client should poll an unfinished job again. */
const pollAfterSeconds = '3'

/**
 * The JSON text of finished jobs. Clients read them repeatedly, so each text is made once. The map is keyed by the job
 * object and not by the id, because a job that failed as `submit_ambiguous` may still continue: then it is another
 * object with a later revision.
 */
const texts = new WeakMap<Job, { readonly baseUrl: string; readonly text: string }>()

/** The reply with a job as its body. */
export function jobReply(
  job: Job,
  status: number,
  baseUrl: string,
  headers: Record<string, string> = {},
): V1Reply {
  headers['content-type'] = 'application/json'
  if (jobStatus(job) === 'processing') headers['retry-after'] = pollAfterSeconds
  return { status, headers, body: jobText(job, baseUrl) }
}

/**
 * The job object of the interface as JSON.
 * @param baseUrl the public URL at which the interface is mounted, without a slash at its end
 */
export function jobText(job: Job, baseUrl: string): string {
  const remembered = texts.get(job)
  if (remembered?.baseUrl === baseUrl) return remembered.text
  const text = JSON.stringify(jobObject(job, baseUrl))
  if (isFinished(job)) texts.set(job, { baseUrl, text })
  return text
}
