import type { Job } from '../contracts/job.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { DeliveryAttempt } from '../contracts/job-webhook.ts'
import type { DeliveryAnswer, WebhookDelivery, WebhookSender } from '../contracts/plugin/webhooks.ts'
import { endEventOf } from '../job/delivered-job.ts'
import type { JobEvent } from '../job/job-event.ts'
import { nextJob } from '../job/job-machine.ts'
import { isDeliveryDue, isFinished, longestPauseMs } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { isExpired } from '../job/deleted-job.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { tally } from '../pacing/ending.ts'
import { randomUuid } from '../job/job-id.ts'
import { deliveryPlaces } from './delivery-places.ts'
import { backOffMs } from '../pacing/pauses.ts'
import { shortText } from '../text/short-text.ts'

/** How long one try may take, in milliseconds. */
const tryLimitMs = 15_000
/**
 * The lease of a try, in milliseconds: how long other processes do not try. It is longer than a try and its writes
 * take.
 */
const leaseMs = 30_000
/** How long to retry writing the outcome while the store is unavailable, in milliseconds. */
const writingMs = 60_000

/** Notifies clients when their jobs have ended. */
export interface Deliverer {
  /** Begins the delivery of the job, if a delivery is due. Returns at once, and never throws. */
  take(job: Job): void
  /**
   * Makes a finished job owe its delivery again. The store has recorded that when it resolves.
   * @returns `undefined` when a try is under way, or the job is gone
   */
  oweAgain(job: Job): Promise<Job | undefined>
  /** Makes one try of a delivery that no job owes. */
  tryOnce(delivery: Omit<WebhookDelivery, 'signal'>): Promise<Omit<DeliveryAttempt, 'event'>>
  /** Resolves when no try is under way. */
  settled(): Promise<void>
}

/**
 * Makes the deliverer of a service. The deliverer writes a try to its job before it sends anything, so that no other
 * process sends at the same time. If this process dies meanwhile, the next try follows after 30 seconds.
 */
export function deliverer(
  sender: WebhookSender,
  { jobs, clock, sureNow, log, closing, givingUp }: PluginHost,
): Deliverer {
  const places = deliveryPlaces(clock)
  const inHand = new Set<string>()
  /**
   * The timers of next tries. They do not use the scheduler, because a step of the same job may be under way for
   * minutes: it may copy outputs, or wait at a gate for a job that was canceled.
   */
  const nextTries = new Map<string, () => void>()
  closing.onEnd(() => {
    for (const cancel of nextTries.values()) cancel()
    nextTries.clear()
  })
  const underWay = tally()

  /** @returns the job as written; `undefined` when the event does not apply to it any more, or when it is gone */
  async function write(readJob: Job | undefined, event: JobEvent): Promise<Job | undefined> {
    for (let job = readJob; job && !isExpired(job, sureNow());) {
      const next = nextJob(job, event, clock.now())
      if (typeof next === 'string') return undefined
      const { written, instead } = await replaceJob(jobs, next, job)
      if (written) return written
      job = instead
    }
    return undefined
  }

  async function deliver(jobId: string): Promise<void> {
    if (closing.hasEnded) return
    const token = randomUuid()
    const until = clock.now() + leaseMs
    const job = await write(await jobs.get(jobId), { type: 'delivering', token, until })
    if (!job) return
    const attempt = { event: endEventOf(job), at: clock.now() } satisfies DeliveryAttempt
    const { url = '' } = job.webhook ?? {}
    const answer = await answerOf({ ...attempt, id: `${job.id}_${job.completedAt}`, job, url })
    const event = eventAfter(job, token, attempt, answer, clock.now(), sureNow())
    const persisting = { clock, givingUp, forMs: writingMs }
    const written = await persist(() => write(job, event), persisting)
    if (written?.webhook?.dueAt !== undefined) tryAgainAt(jobId, written.webhook.dueAt)
  }

  function tryAgainAt(jobId: string, at: number): void {
    if (closing.hasEnded) return
    nextTries.get(jobId)?.()
    const look = () => {
      nextTries.delete(jobId)
      // If the job can't be read, the sweep delivers it later.
      jobs.get(jobId).then(
        (job) => job && take(job),
        () => {},
      )
    }
    nextTries.set(jobId, clock.after(Math.max(0, at - clock.now()), look))
  }

  /** @returns `undefined` when the service closes and has ended the try */
  async function answerOf(delivery: Omit<WebhookDelivery, 'signal'>): Promise<DeliveryAnswer | undefined> {
    const { job } = delivery
    const controller = new AbortController()
    const { signal } = controller
    let isLate = true
    try {
      const send = async () => {
        try {
          return await sender.send({ ...delivery, signal })
        } finally {
          isLate = false
        }
      }
      return await withinLimit(clock, tryLimitMs, 'receiver', send, closing)
    } catch (fault) {
      if (closing.hasEnded) return undefined
      if (isLate) return { error: `The receiver has not answered within ${tryLimitMs / 1000} s.` }
      log.error(`The webhook of ${whose(job)} could not be sent.`, { ...fieldsOf(job), cause: fault })
      return { error: 'The service could not send the webhook.' }
    } finally {
      controller.abort(new Error('The try is over.'))
    }
  }

  function take(job: Job): void {
    const { id, owner, webhook } = job
    const now = clock.now()
    if (!webhook || !isFinished(job) || !isDeliveryDue(job, now)) return
    if (isExpired(job, sureNow()) || inHand.has(id) || closing.hasEnded) return
    const run = async () => {
      await deliver(id).catch((fault: unknown) =>
        log.error(`The webhook of ${whose(job)} could not be delivered or recorded.`, {
          ...fieldsOf(job),
          cause: fault,
        }),
      )
      inHand.delete(id)
      underWay.end()
    }
    underWay.begin()
    inHand.add(id)
    if (places.run(owner, new URL(webhook.url).hostname, run)) return
    inHand.delete(id)
    underWay.end()
  }

  return {
    take,
    oweAgain: (job) => write(job, { type: 'owed' }),
    async tryOnce(delivery) {
      const answer = (await answerOf(delivery)) ?? { error: 'The service is closing.' }
      return { at: delivery.at, ...outcomeOf(answer) }
    },
    settled: underWay.settled,
  }
}

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
  const attempt = { ...begun, ...outcomeOf(answer) }
  if (attempt.error === undefined) return { type: 'delivered', token, attempt }
  const isLasting = 'status' in answer ? answer.status === 410 : answer.isLasting === true
  if (isLasting) return { type: 'undelivered', token, attempt }
  const backOff = backOffMs(job.webhook?.failed ?? 0, maxBackOffMs)
  const pauseMs = Math.min(longestPauseMs, Math.max(backOff, askedPauseMs(answer)))
  const triedUntil = Math.min(job.expiresAt, (job.completedAt ?? now) + triedForMs)
  const isOver = sureNow + pauseMs >= triedUntil
  return { type: 'undelivered', token, attempt, ...(!isOver && { retryAt: now + pauseMs }) }
}

/** What a job keeps of an answer. */
function outcomeOf(answer: DeliveryAnswer): Pick<DeliveryAttempt, 'error' | 'status'> {
  const hasArrived = 'status' in answer && answer.status >= 200 && answer.status < 300
  return {
    ...('status' in answer && { status: answer.status }),
    ...(!hasArrived && { error: reason(answer) }),
  }
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
