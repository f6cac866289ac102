import type { Job } from '../contracts/job.ts'
import type { WebhookEvent } from '../contracts/job-webhook.ts'
import type { EventOf } from './job-event.ts'

/** How many of the latest tries a job keeps. */
const maxAttempts = 20

/** The finished job with the delivery that it owes from now on, if its client has asked for one. */
export function owing(job: Job, now: number): Job {
  const { webhook } = job
  if (!webhook) return job
  const { url, events, attempts } = webhook
  const wish = { url, events, ...(attempts && { attempts }) }
  return scheduled({ ...job, webhook: wantsDelivery(job) ? { ...wish, dueAt: now } : wish })
}

/** Whether the client of the finished job wants to be notified of its end. */
export function wantsDelivery(job: Job): boolean {
  return job.webhook?.events.includes(endEventOf(job)) === true
}

/** The event of a finished job. */
export function endEventOf({ phase }: Pick<Job, 'phase'>): WebhookEvent {
  return phase === 'completed' ? 'job.completed' : 'job.failed'
}

/** The job without a delivery, because the job continues although it had finished. */
export function unowing(job: Job): Job {
  if (!job.webhook) return job
  const { dueAt: _, token: __, failed: ___, ...wish } = job.webhook
  return { ...job, webhook: wish }
}

export function deliveringJob(job: Job, _now: number, { until, token }: EventOf<'delivering'>): Job {
  return scheduled({ ...job, webhook: { ...job.webhook!, dueAt: until, token } })
}

/** The job after a try, whether it has arrived or not. */
export function triedJob(job: Job, _now: number, event: EventOf<'delivered' | 'undelivered'>): Job {
  const { attempt, retryAt } = { retryAt: undefined, ...event }
  const { dueAt: _, token: __, failed = 0, attempts = [], ...wish } = job.webhook!
  const tried = attempt ? [...attempts, attempt].slice(-maxAttempts) : attempts
  const owed = retryAt === undefined ? undefined : { dueAt: retryAt, failed: failed + (attempt ? 1 : 0) }
  return scheduled({ ...job, webhook: { ...wish, attempts: tried, ...owed } })
}

/**
 * The finished job with its next step: when outputs are to be copied or when its delivery is due, whichever comes
 * first.
 */
export function scheduled(job: Job): Job {
  const instants = [job.earliestAt, job.webhook?.dueAt].filter((at) => at !== undefined)
  return { ...job, dueAt: instants.length === 0 ? undefined : Math.min(...instants) } as Job
}
