import type { Job } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'
import { jobObject, jobStatus } from './job-object.ts'

/** How soon a client should look again at a job that is not finished. */
const pollAfterSeconds = '3'

/** The reply that shows a job. */
export function jobReply(job: Job, status: number, baseUrl: string): V1Reply {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (jobStatus(job) === 'processing') headers['retry-after'] = pollAfterSeconds
  return { status, headers, body: JSON.stringify(jobObject(job, baseUrl)) }
}
