import { isFinished, type Job } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'
import { jobObject, jobStatus } from './job-object.ts'

/** How soon a client should look again at a job that is not finished. */
const pollAfterSeconds = '3'

/**
 * Jobs that have finished are asked for again and again: each is put into words once. Kept by the job's object and not by
 * its id, because a job that failed as `submit_ambiguous` may go on after all, as another object of a later revision.
 */
const shown = new WeakMap<Job, { readonly baseUrl: string; readonly text: string }>()

/** The reply that shows a job. */
export function jobReply(
  job: Job,
  status: number,
  baseUrl: string,
  headers: Record<string, string> = {},
): V1Reply {
  headers['content-type'] = 'application/json'
  if (jobStatus(job) === 'processing') headers['retry-after'] = pollAfterSeconds
  return { status, headers, body: textOf(job, baseUrl) }
}

function textOf(job: Job, baseUrl: string): string {
  const known = shown.get(job)
  if (known?.baseUrl === baseUrl) return known.text
  const text = JSON.stringify(jobObject(job, baseUrl))
  if (isFinished(job)) shown.set(job, { baseUrl, text })
  return text
}
