import type { Job } from '../contracts/job.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import { unsubmittedJob } from './ended-job.ts'
import type { EventOf } from './job-event.ts'
import { delayed, known, released, routed, without } from './job-fields.ts'
import { isClaimed } from './job-state.ts'

/** `running`: the job with what the provider has said about its task, and without its claim. */
export function runningJob(job: Job, now: number, event: EventOf<'running'>): Job {
  const { handle, earliestAt, dueAt, pollAfterMs } = event
  // A callback may announce something newer than this answer, so the next poll comes after `minPollIntervalMs` at the
  // latest, even if the provider has asked for a longer pause.
  const hintedAt = Math.min(dueAt, now + minPollIntervalMs)
  const isUnwanted = job.cancelAskedAt !== undefined && job.phase === 'submitting'
  return {
    ...without(known(released(job)), 'pollAfterMs'),
    earliestAt: isUnwanted ? now : job.isHinted ? hintedAt : earliestAt,
    dueAt: isUnwanted ? now : job.isHinted ? hintedAt : dueAt,
    checkedAt: now,
    attempts: 0,
    phase: 'running',
    handle,
    ...(pollAfterMs !== undefined && { pollAfterMs }),
  }
}

/** `refused` in a submit: the provider has not taken the task on, so the job is to be submitted again. */
export function refusedJob(job: Job, now: number, { retryAt, nextRoute }: EventOf<'refused'>): Job {
  const unsent = without(delayed(job, retryAt), 'startedAt', 'submitToken', 'unknown')
  const unstarted = routed(unsent, nextRoute)
  if (job.cancelAskedAt !== undefined) return unsubmittedJob(unstarted, now)
  const attempts = nextRoute === undefined ? unstarted.attempts : job.attempts
  return { ...unstarted, phase: 'accepted', attempts }
}

/** `refused` in a poll: the same call is made again later. */
export function repeatedJob(job: Job, _now: number, { retryAt }: EventOf<'refused'>): Job {
  return delayed(job, retryAt)
}

/** `unknown`: the job with since when and how often its provider has not known the task. */
export function unknownJob(job: Job, now: number, { retryAt }: EventOf<'unknown'>): Job {
  const { since = now, count = 0 } = job.unknown ?? {}
  return { ...delayed(job, retryAt), checkedAt: now, unknown: { since, count: count + 1 } }
}

/** `postponed`: the step has changed nothing, and comes again. */
export function postponedJob(job: Job, _now: number, { retryAt }: EventOf<'postponed'>): Job {
  return delayed(submitOver(job), retryAt)
}

/** `interrupted`: the next process may begin the same step at once. */
export function interruptedJob(job: Job, now: number, event: EventOf<'interrupted'>): Job {
  const { outputs = job.outputs } = event
  return { ...released(submitOver(job)), outputs, earliestAt: now, dueAt: now }
}

/** After a step that has changed nothing: forgets a submit that this step has made, because that submit is over. */
function submitOver(job: Job): Job {
  const hasSubmitted = job.phase === 'submitting' && job.submitToken === job.claimToken
  return hasSubmitted ? without(job, 'submitToken') : job
}

/** `hinted`: the next poll comes sooner. */
export function hintedJob(job: Job, now: number, { pollAt }: EventOf<'hinted'>): Job {
  return hurried(job, now, pollAt)
}

/** `cancelAsked` after the submit has begun: the request is recorded, and the next step cancels the task. */
export function cancelAskedJob(job: Job, now: number): Job {
  return hurried({ ...job, cancelAskedAt: now }, now, now)
}

/** The job with its next step at `at`, whose result is to be written even if it brings no news. */
function hurried(job: Job, now: number, at: number): Job {
  const hinted: Job = { ...job, dueAt: at, isHinted: true }
  if (job.isQuiet) return { ...released(hinted), isHinted: true, earliestAt: at }
  return isClaimed(job, now) ? hinted : { ...hinted, earliestAt: at }
}
