import type { Job } from '../contracts/job.ts'
import type { DeliveryAttempt } from '../contracts/job-webhook.ts'
import type { DeliveryAnswer } from '../contracts/webhooks.ts'
import type { JobEvent } from '../job/job-event.ts'
import { longestPauseMs } from '../job/job-state.ts'
import { backOffMs } from '../pacing/back-off.ts'
import { shortText } from '../text/short-text.ts'

/** How long a delivery is retried, in milliseconds from the end of its job. */
const triedForMs = 3 * 24 * 60 * 60_000
/** The longest pause between two tries before the random change, which may lengthen it to at most `longestPauseMs`. */
const maxBackOffMs = 0.8 * longestPauseMs

/**
 * The event that ends one try of a delivery. A failed delivery is retried after a pause that grows from one second to
 * about 48 minutes, for three days or until the job expires.
 * @param answer `undefined` when the service closes and has ended the try: the next process tries at once
 * @param sureNow see `ClockSteps.sureNow`: no delivery is given up by a clock that was set
 */
export function eventAfter(
  job: Job,
  token: string,
  begun: Pick<DeliveryAttempt, 'event' | 'at'>,
  answer: DeliveryAnswer | undefined,
  now: number,
  sureNow: number,
): JobEvent {
  if (!answer) return { type: 'undelivered', token, retryAt: now }
  if ('status' in answer && answer.status >= 200 && answer.status < 300)
    return { type: 'delivered', token, attempt: { ...begun, status: answer.status } }
  const attempt = { ...begun, ...('status' in answer && { status: answer.status }), error: reason(answer) }
  const isLasting = 'status' in answer ? answer.status === 410 : answer.isLasting === true
  if (isLasting) return { type: 'undelivered', token, attempt }
  const backOff = backOffMs(job.webhook?.failed ?? 0, maxBackOffMs)
  const pauseMs = Math.min(longestPauseMs, Math.max(backOff, askedPauseMs(answer)))
  const triedUntil = Math.min(job.expiresAt, (job.completedAt ?? now) + triedForMs)
  const isOver = sureNow + pauseMs >= triedUntil
  return { type: 'undelivered', token, attempt, ...(!isOver && { retryAt: now + pauseMs }) }
}

function askedPauseMs(answer: DeliveryAnswer): number {
  if (!('status' in answer) || (answer.status !== 429 && answer.status !== 503)) return 0
  const { retryAfterMs = 0 } = answer
  return Number.isFinite(retryAfterMs) ? Math.round(retryAfterMs) : 0
}

function reason(answer: DeliveryAnswer): string {
  if ('error' in answer) return shortText(answer.error)
  const { status } = answer
  if (status === 410) return 'The receiver wants no more deliveries (410).'
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? `The receiver answered with ${status}; redirects are not followed.`
    : `The receiver answered with ${status}, not 2xx.`
}
