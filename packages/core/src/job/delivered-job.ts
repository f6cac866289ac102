import type { Job } from '../contracts/job.ts'
import type { JobWebhook, WebhookEvent } from '../contracts/job-webhook.ts'
import type { JobEvent } from './job-event.ts'

/** How many of the latest tries a job keeps. */
const maxAttempts = 20

type DeliveryEvent = Extract<JobEvent, { type: 'delivering' | 'delivered' | 'undelivered' }>

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

/**
 * The part of `nextJob` that applies the events of deliveries. They change only `webhook` and the instant of the
 * job's next step, so they leave a claim for copying as it is.
 * @param revised the job with its next revision
 */
export function deliveredJob(revised: Job, event: DeliveryEvent): Job | 'not_due' | 'not_claimed' {
  const { webhook } = revised
  if (webhook?.dueAt === undefined) return event.type === 'delivering' ? 'not_due' : 'not_claimed'
  if (event.type === 'delivering')
    return scheduled({ ...revised, webhook: { ...webhook, dueAt: event.until, token: event.token } })
  if (webhook.token !== event.token) return 'not_claimed'
  const { dueAt: _, token: __, failed = 0, attempts = [], ...kept } = webhook
  const { attempt } = event
  const retryAt = event.type === 'undelivered' ? event.retryAt : undefined
  const tried: JobWebhook = {
    ...kept,
    attempts: attempt ? [...attempts, attempt].slice(-maxAttempts) : attempts,
    ...(retryAt !== undefined && { dueAt: retryAt, failed: failed + (attempt ? 1 : 0) }),
  }
  return scheduled({ ...revised, webhook: tried })
}

/**
 * The finished job with its next step: when outputs are to be copied or when its delivery is due, whichever comes
 * first.
 */
export function scheduled(job: Job): Job {
  const instants = [job.earliestAt, job.webhook?.dueAt].filter((at) => at !== undefined)
  return { ...job, dueAt: instants.length === 0 ? undefined : Math.min(...instants) } as Job
}
