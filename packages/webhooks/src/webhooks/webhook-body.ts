import type { Job, WebhookEvent } from '@genmount/core'
import { jobText } from '@genmount/v1-interface'

/** The body of a webhook: the event, its instant, and the job as `GET /v1/jobs/{id}` returns it. */
export function webhookBody(type: WebhookEvent, job: Job, baseUrl: string): string {
  const timestamp = new Date(job.completedAt ?? job.createdAt).toISOString()
  return `${JSON.stringify({ type, timestamp }).slice(0, -1)},"data":${jobText(job, baseUrl)}}`
}
