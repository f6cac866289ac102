import type { Job } from '../contracts/job.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import { unsubmittedJob } from './ended-job.ts'
import type { EventOf } from './job-event.ts'
import { delayed, withoutFailures, released, without } from './job-fields.ts'
import { isClaimed, longestPauseMs } from './job-state.ts'

export function runningJob(job: Job, now: number, event: EventOf<'running'>): Job {
  const { handle, earliestAt, dueAt, until, pollAfterMs, outputs = job.outputs } = event
  // A callback may announce something newer than this answer, so the next poll comes after `minPollIntervalMs` at the
  // latest, even if the provider has asked for a longer pause.
  const hintedAt = job.isHinted ? Math.min(dueAt, now + minPollIntervalMs) : undefined
  const soonAt = job.cancelAskedAt !== undefined && job.phase === 'submitting' ? now : hintedAt
  const isAhead = until !== undefined && soonAt === undefined
  const open = withoutFailures(released(job))
  return {
    ...open,
    claim: isAhead ? { ...open.claim, until, isQuiet: true } : open.claim,
    earliestAt: soonAt ?? earliestAt,
    dueAt: soonAt ?? dueAt,
    checkedAt: now,
    attempts: 0,
    phase: 'running',
    handle,
    pollAfterMs,
    outputs,
  } as Job
}

/** A request or a plugin can have the job looked at before `retryAt`, but not within `minPollIntervalMs`. */
export function awaitingJob(job: Job, now: number, { retryAt }: EventOf<'awaiting'>): Job {
  const soonestAt = now + minPollIntervalMs
  const lookAt = Math.min(now + longestPauseMs, Math.max(soonestAt, retryAt))
  const upToDeadline = (at: number) => Math.min(at, job.deadlineAt)
  return {
    ...job,
    earliestAt: upToDeadline(soonestAt),
    dueAt: upToDeadline(lookAt),
    setback: { why: 'input', at: now },
  }
}

export function refusedJob(job: Job, now: number, { retryAt, nextRoute }: EventOf<'refused'>): Job {
  const unsent = without(
    delayed(job, retryAt, nextRoute === undefined),
    'startedAt',
    'submitToken',
    'unknown',
  )
  const unstarted = { ...unsent, route: nextRoute } as Job
  if (job.cancelAskedAt !== undefined) return unsubmittedJob(unstarted, now)
  return { ...unstarted, phase: 'accepted' }
}

export function unknownJob(job: Job, now: number, { retryAt }: EventOf<'unknown'>): Job {
  const { since = now, count = 0 } = job.unknown ?? {}
  return { ...delayed(job, retryAt, false), checkedAt: now, unknown: { since, count: count + 1 } }
}

export function postponedJob(job: Job, _now: number, event: EventOf<'postponed' | 'refused'>): Job {
  return delayed(submitOver(job), event.retryAt, !('isWait' in event))
}

export function interruptedJob(job: Job, now: number, event: EventOf<'interrupted'>): Job {
  const { outputs = job.outputs } = event
  return { ...released(submitOver(job)), outputs, earliestAt: now, dueAt: now }
}

/** After a step that has changed nothing: forgets a submit that this step has made, because that submit is over. */
function submitOver(job: Job): Job {
  const hasSubmitted = job.phase === 'submitting' && job.submitToken === job.claim?.token
  return hasSubmitted ? without(job, 'submitToken') : job
}

export function hintedJob(job: Job, now: number, { pollAt }: EventOf<'hinted'>): Job {
  return hurried(job, now, pollAt)
}

export function cancelAskedJob(job: Job, now: number): Job {
  return hurried({ ...job, cancelAskedAt: now }, now, now)
}

/** The job with its next step at `at`, whose result is to be written even if it brings no news. */
function hurried(job: Job, now: number, at: number): Job {
  const hinted: Job = { ...job, dueAt: at, isHinted: true }
  if (job.claim?.isQuiet) return { ...released(hinted), isHinted: true, earliestAt: at }
  return isClaimed(job, now) ? hinted : { ...hinted, earliestAt: at }
}
