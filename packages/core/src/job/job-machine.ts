import type { Job } from '../contracts/job.ts'
import { claimedJob, routed } from './claimed-job.ts'
import { deletedJob, isGone, keyOnly, undeletedJob } from './deleted-job.ts'
import { deliveredJob, scheduled } from './delivered-job.ts'
import {
  atRest,
  completed,
  costing,
  endedJob,
  known,
  mayBeWithdrawn,
  released,
  submitOver,
  unsubmitted,
  wasNeverTaken,
  withdrawn,
} from './ended-job.ts'
import { answeredJob, awaitsProvider, resumedJob } from './continued-job.ts'
import { wholeInstants } from './instants.ts'
import type { JobEvent } from './job-event.ts'
import { without } from './without.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'

/** Why an event does not apply to a job. */
export type Refusal =
  'finished' | 'not_due' | 'already_claimed' | 'already_asked' | 'not_claimed' | 'wrong_phase' | 'no_outputs'

/**
 * The life of a job. Only {@link nextJob} changes jobs, in answer to an event.
 *
 * ```
 *                  claim                 running
 *   accepted ---------------> submitting --------> running --+ running, postponed, unknown, interrupted, hinted
 *      ^  |                    |  ^ |  |             |  ^     |
 *      |  |                    |  +-+  +-------------|--------+ adopted
 *      +------- refused -------+  postponed,         |
 *         |                    |  interrupted        |
 *         |                    +----- succeeded -----+------> completed, when the outputs are stored already
 *         |                               |
 *         |                               v    collected
 *         |                           collecting ---------> completed
 *         |
 *         +--> failed, as from each of the other three; from failed with submit_ambiguous: adopted -> running,
 *              retaken -> submitting
 *
 *   cancelAsked: accepted -> failed; submitting and running stay, the request is recorded, and refused -> failed
 * ```
 *
 * Every step begins with `claim`, which sets the instant until which no other process may begin a step. It ends with an
 * event that gives up the claim. Only a poll without news writes no event: its claim runs out by itself.
 * `accepted -> submitting` is stored before the provider is called, so the outcome of a submit is unknown if the job is
 * `submitting` without a live claim.
 *
 * `completed` and `failed` are final, with two exceptions. A job that failed as `submit_ambiguous` may have been paid
 * for, and goes on when a callback of its provider (`adopted`) or the late answer to its submit (`retaken`) arrives. A job
 * that failed because no process had its provider goes on when a process has it again (`resumed`); until then, a process
 * looks from time to time (`copied`).
 *
 * A callback is written to the job even while a process holds a claim. This process sees that its own write is stale,
 * and applies its event to the job with the callback. If `hinted` comes during the submit, the first poll comes sooner.
 *
 * A job whose owner has asked to cancel it (`cancelAskedAt`) never becomes `accepted` again, so no new submit begins.
 * If its submit turns out to have been taken on, the next step cancels the task at the provider.
 *
 * `withdrawn` fails a job of which the client was told that it is not stored, so that the client never sees it. It
 * applies to an `accepted` job, and to a `submitting` job with the claim of its insert, under which nobody submits.
 *
 * While outputs of a completed job are to be copied, the job has steps left. Such a step ends with `copied`, which
 * changes only outputs. No step begins once the job has expired, because its row may be deleted at any moment.
 *
 * A job with a webhook owes a delivery from the write that ends the job. `delivering`, `delivered` and `undelivered`
 * are independent of claims: outputs may be copied at the same time.
 *
 * @returns the job with its next revision, or why the event does not apply
 */
export function nextJob(job: Job, event: JobEvent, now: number): Job | Refusal {
  const next = jobAfter(job, event, now)
  return typeof next === 'string' ? next : wholeInstants(next)
}

function jobAfter(job: Job, event: JobEvent, now: number): Job | Refusal {
  if (event.type === 'claim') {
    if (isFinished(job) && (isGone(job) || !hasCopyLeft(job))) return 'finished'
    if (isClaimed(job, now)) return 'already_claimed'
    return mayStep(job, now) ? claimedJob(job, event, now) : 'not_due'
  }
  if (event.type === 'running') {
    if (isFinished(job)) return 'finished'
    if (job.claimedUntil === undefined) return 'not_claimed'
    return job.phase === 'collecting' ? 'wrong_phase' : running(job, event, now)
  }
  const setback = 'why' in event && event.why !== undefined ? { setback: { why: event.why, at: now } } : {}
  const report = 'report' in event ? event.report : undefined
  const reported = report && !job.reported ? { reported: report } : {}
  const revised = { ...job, revision: job.revision + 1, updatedAt: now, ...setback, ...reported }
  if (event.type === 'undeletable')
    return isFinished(job)
      ? undeletedJob(revised, event.retryAt, { now, latest: now + longestPauseMs })
      : 'wrong_phase'
  if (event.type === 'deleted') return isFinished(job) ? deletedJob(revised, now) : 'wrong_phase'
  if (event.type === 'emptied') return isFinished(job) ? keyOnly(revised) : 'wrong_phase'
  if (event.type === 'delivering' || event.type === 'delivered' || event.type === 'undelivered') {
    if (!isFinished(job)) return 'wrong_phase'
    return event.type !== 'delivering' || isDeliveryDue(job, now) ? deliveredJob(revised, event) : 'not_due'
  }
  if (event.type === 'adopted' || event.type === 'retaken')
    return answeredJob(job, revised, event, now, isClaimed(job, now))
  if (isFinished(job) && !(hasCopyLeft(job) && mayFollowTheEnd.has(event.type))) return 'finished'

  if (event.type === 'hinted') {
    if (job.phase !== 'running' && !(job.phase === 'submitting' && isClaimed(job, now))) return 'wrong_phase'
    const bringsReport = event.report !== undefined && job.reported === undefined
    if (!bringsReport && job.isHinted && (job.dueAt ?? now) <= event.pollAt) return 'already_asked'
    return hurried(revised, event.pollAt, now)
  }
  if (event.type === 'cancelAsked') {
    if (job.phase === 'collecting') return 'wrong_phase'
    if (job.cancelAskedAt !== undefined) return 'already_asked'
    const asked = { ...revised, cancelAskedAt: now }
    return job.phase === 'accepted' ? unsubmitted(asked, now) : hurried(asked, now, now)
  }

  if (event.type === 'withdrawn')
    return mayBeWithdrawn(job, event.unusedClaim) ? withdrawn(revised) : 'wrong_phase'

  if (job.claimedUntil === undefined) return 'not_claimed'
  switch (event.type) {
    case 'freed': {
      // What remains is a claim that ran out, and was not for a poll without news.
      return { ...without(revised, 'claimToken', 'isQuiet'), claimedUntil: now }
    }
    case 'renew': {
      const { claimToken } = job
      const isSubmit = event.isSubmit && claimToken !== undefined && job.phase === 'submitting'
      const renewed = { ...without(revised, 'isQuiet'), claimedUntil: event.until }
      return isSubmit ? { ...renewed, submitToken: claimToken } : renewed
    }
    case 'refused': {
      if (job.phase === 'running') return delayed(revised, event.retryAt)
      if (job.phase !== 'submitting') return 'wrong_phase'
      const { retryAt, nextRoute } = event
      const unsent = without(delayed(revised, retryAt), 'startedAt', 'submitToken', 'unknown')
      const unstarted = routed(unsent, nextRoute)
      if (job.cancelAskedAt !== undefined) return unsubmitted(unstarted, now)
      const attempts = nextRoute === undefined ? unstarted.attempts : job.attempts
      return { ...unstarted, phase: 'accepted', attempts }
    }
    case 'unknown': {
      const { since = now, count = 0 } = job.unknown ?? {}
      return { ...delayed(revised, event.retryAt), checkedAt: now, unknown: { since, count: count + 1 } }
    }
    case 'postponed':
      return delayed(submitOver(revised), event.retryAt)
    case 'interrupted': {
      const { outputs = job.outputs } = event
      return { ...released(submitOver(revised)), outputs, earliestAt: now, dueAt: now }
    }
    case 'succeeded': {
      if (job.phase === 'collecting') return 'wrong_phase'
      if (event.outputs.length === 0) return 'no_outputs'
      const { outputs, inferenceMs = Math.max(0, now - (job.startedAt ?? now)) } = event
      const told = without(known(revised), 'abandonedClaims', 'isQuiet', 'reported')
      const finished = costing(
        { ...told, phase: 'collecting', checkedAt: now, outputs, inferenceMs },
        event.costUsd,
      )
      return event.collected ? completed(finished, event.collected.copyAt, now) : { ...finished, attempts: 0 }
    }
    case 'collected': {
      if (job.phase !== 'collecting') return 'wrong_phase'
      const { outputs, copyAt } = event
      return outputs.length === 0 ? 'no_outputs' : completed({ ...revised, outputs }, copyAt, now)
    }
    case 'copied': {
      if (!isFinished(job)) return 'wrong_phase'
      const { outputs, retryAt } = event
      return scheduled({ ...(retryAt === undefined ? atRest(revised) : delayed(revised, retryAt)), outputs })
    }
    case 'failed': {
      const { code, message, lookAt } = event
      const costUsd = event.costUsd ?? (wasNeverTaken(job, code) ? 0 : undefined)
      const isAmbiguous = code === 'submit_ambiguous'
      // A callback has shown in the meantime that the provider has the task.
      if (isAmbiguous && job.phase === 'running') return delayed(revised, now)
      // A callback has brought the end of the task since this step began.
      if (job.isHinted && job.reported) return delayed(revised, now)
      const ended = endedJob(revised, 'failed', now)
      const failed: Job = costing({ ...ended, error: { code, message } }, costUsd)
      if (!isAmbiguous && lookAt === undefined) return failed
      const { task, submitToken } = job
      const kept: Job = { ...failed, ...(task && { task }), ...(submitToken && { submitToken }) }
      return lookAt === undefined ? kept : scheduled({ ...kept, earliestAt: lookAt })
    }
    case 'resumed':
      return awaitsProvider(job) ? resumedJob(revised, now) : 'wrong_phase'
  }
}

/** The job with what the provider has said about its task, and without its claim. */
function running(job: Job, event: Extract<JobEvent, { type: 'running' }>, now: number): Job {
  const { handle, earliestAt, dueAt, pollAfterMs } = event
  // A callback may announce something newer than this answer, so the next poll comes after `minPollIntervalMs` at the
  // latest, even if the provider has asked for a longer pause.
  const hintedAt = Math.min(dueAt, now + minPollIntervalMs)
  const isUnwanted = job.cancelAskedAt !== undefined && job.phase === 'submitting'
  return {
    ...without(known(released(job)), 'pollAfterMs'),
    revision: job.revision + 1,
    updatedAt: now,
    earliestAt: isUnwanted ? now : job.isHinted ? hintedAt : earliestAt,
    dueAt: isUnwanted ? now : job.isHinted ? hintedAt : dueAt,
    checkedAt: now,
    attempts: 0,
    phase: 'running',
    handle,
    ...(pollAfterMs !== undefined && { pollAfterMs }),
  }
}

/**
 * Whether the job has completed or failed. A job that failed as `submit_ambiguous`, or for want of its provider, may
 * nevertheless continue later.
 */
export function isFinished(job: Job): boolean {
  return job.phase === 'completed' || job.phase === 'failed'
}

/** Whether a step is left for the job. */
export function hasStepLeft(job: Job): boolean {
  return job.dueAt !== undefined
}

/** Whether outputs of a finished job are to be copied, or its provider is awaited. */
export function hasCopyLeft({ dueAt, earliestAt, webhook }: Job): boolean {
  return dueAt !== undefined && (earliestAt !== undefined || webhook?.dueAt === undefined)
}

/** Whether the finished job owes a delivery that may be tried now. */
export function isDeliveryDue({ webhook }: Job, now: number): boolean {
  return webhook?.dueAt !== undefined && hasCome(webhook.dueAt, now)
}

/** Whether a process has a live claim on the job. */
export function isClaimed(job: Job, now: number): boolean {
  return job.claimedUntil !== undefined && !hasCome(job.claimedUntil, now)
}

/**
 * When the provider last reported on the task, in milliseconds since the Unix epoch. After a poll without news this is
 * the instant at which the poll began.
 */
export function heardAt({ isQuiet, updatedAt, checkedAt }: Job): number | undefined {
  return isQuiet ? updatedAt : checkedAt
}

/** Whether a step may begin at once if a request asks for it, for example a client who reads the job. */
export function mayStep(job: Job, now: number): boolean {
  const isLeft = isFinished(job) ? hasCopyLeft(job) : hasStepLeft(job)
  return isLeft && !isClaimed(job, now) && (job.earliestAt === undefined || hasCome(job.earliestAt, now))
}

/** Whether a step is to begin now without any request. */
export function isDue(job: Job, now: number): boolean {
  return job.dueAt !== undefined && hasCome(job.dueAt, now) && !isClaimed(job, now)
}

/**
 * The longest pause between two steps, and the longest claim, in milliseconds: one hour. An instant in a job that lies
 * further ahead was written before the clock was put back. Stores must treat such an instant as past, because the job
 * would otherwise wait until then.
 */
export const longestPauseMs = 60 * 60_000

function hasCome(at: number, now: number): boolean {
  return at <= now || at > now + longestPauseMs
}

const mayFollowTheEnd: ReadonlySet<JobEvent['type']> = new Set([
  'freed',
  'renew',
  'interrupted',
  'copied',
  'resumed',
])

/** The job with its next step at `at`, whose result is to be written even if it brings no news. */
function hurried(job: Job, at: number, now: number): Job {
  const hinted: Job = { ...job, dueAt: at, isHinted: true }
  if (job.isQuiet) return { ...released(hinted), isHinted: true, earliestAt: at }
  return isClaimed(job, now) ? hinted : { ...hinted, earliestAt: at }
}

function delayed(job: Job, retryAt: number): Job {
  return { ...released(job), attempts: job.attempts + 1, earliestAt: retryAt, dueAt: retryAt }
}
