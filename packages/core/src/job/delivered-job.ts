import type { Job } from '../contracts/job.ts'
import type { DeliveryAttempt, JobWebhook, WebhookEvent } from '../contracts/webhooks.ts'
import type { EventOf } from './job-event.ts'

/** How many of the latest tries a job keeps. */
const maxAttempts = 20

/** The finished job with the delivery that it owes from now on, if its client has asked for one. */
export function owing(job: Job, now: number): Job {
  const { webhook } = job
  if (!webhook) return job
  const { url, events, attempts } = webhook
  const kept = { url, events, ...(attempts && { attempts }) }
  return scheduled({ ...job, webhook: events.includes(endEventOf(job)) ? { ...kept, dueAt: now } : kept })
}

/** The event of a finished job. */
export function endEventOf({ phase }: Pick<Job, 'phase'>): WebhookEvent {
  return phase === 'completed' ? 'job.completed' : 'job.failed'
}

/** The job without a delivery, because the job continues although it had finished. */
export function unowing(job: Job): Job {
  if (!job.webhook) return job
  const { dueAt: _, token: __, failed: ___, ...kept } = job.webhook
  return { ...job, webhook: kept }
}

/** `delivering`: a try begins. */
export function deliveringJob(job: Job, _now: number, { until, token }: EventOf<'delivering'>): Job {
  return scheduled({ ...job, webhook: { ...job.webhook!, dueAt: until, token } })
}

/** `delivered`: nothing more is owed. */
export function deliveredJob(job: Job, _now: number, { attempt }: EventOf<'delivered'>): Job {
  const { dueAt: _, token: __, failed: ___, ...kept } = job.webhook!
  return scheduled({ ...job, webhook: { ...kept, attempts: withAttempt(kept, attempt) } })
}

/** `undelivered`: the delivery is owed again from `retryAt` on, or no longer. */
export function undeliveredJob(job: Job, _now: number, event: EventOf<'undelivered'>): Job {
  const { attempt, retryAt } = event
  const { dueAt: _, token: __, failed = 0, ...kept } = job.webhook!
  const owed = retryAt === undefined ? undefined : { dueAt: retryAt, failed: failed + (attempt ? 1 : 0) }
  return scheduled({ ...job, webhook: { ...kept, attempts: withAttempt(kept, attempt), ...owed } })
}

function withAttempt({ attempts = [] }: Pick<JobWebhook, 'attempts'>, attempt?: DeliveryAttempt) {
  return attempt ? [...attempts, attempt].slice(-maxAttempts) : attempts
}

/**
 * The finished job with its next step: when outputs are to be copied or when its delivery is due, whichever comes
 * first.
 */
export function scheduled(job: Job): Job {
  const instants = [job.earliestAt, job.webhook?.dueAt].filter((at) => at !== undefined)
  return { ...job, dueAt: instants.length === 0 ? undefined : Math.min(...instants) } as Job
}
