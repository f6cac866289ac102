import type { Json } from '../contracts/json.ts'
import type { Job, JobFailure, JobOutput } from '../contracts/job.ts'

/**
 * The life of a job. Nothing else changes one.
 *
 * ```
 *                  claim                 running
 *   accepted ---------------> submitting --------> running --+ running, postponed, hinted
 *      ^  |                    |  ^ |  |             |  ^     |
 *      |  +-- failed           |  +-+  +-------------|--------+ adopted (by a callback)
 *      +------- refused -------+  postponed          |
 *                              |                     |
 *                              +----- succeeded -----+
 *                                         |
 *                                         v    collected
 *                                     collecting ---------> completed
 *
 *   failed: from each of the four on the left. completed and failed are final.
 * ```
 *
 * Every step begins with `claim`, which names until when nobody else may step, and ends with an event that gives the
 * claim up. `accepted -> submitting` is written before the provider is called: a job that is found in `submitting`
 * without a live claim is one whose submit has an unknown outcome.
 *
 * A completed job whose outputs are yet to be copied has steps left, which end with `copied` and change nothing else.
 */
export type JobEvent =
  /** A step begins; `route` is the one by which an accepted job is about to be submitted. */
  | {
      readonly type: 'claim'
      readonly until: number
      readonly token: string
      readonly route?: string | undefined
    }
  /** The step takes longer. */
  | { readonly type: 'renew'; readonly until: number }
  /** The provider has the task and works on it. */
  | { readonly type: 'running'; readonly handle: Json; readonly earliestAt: number; readonly dueAt: number }
  /** A callback tells the handle of a submit whose answer was lost. */
  | { readonly type: 'adopted'; readonly handle: Json }
  /** A callback says that there is news of a running task. */
  | { readonly type: 'hinted'; readonly pollAt: number }
  /** The provider has not taken the task on; `nextRoute` leads to the one to try instead, which is no new round. */
  | { readonly type: 'refused'; readonly retryAt: number; readonly nextRoute?: string | undefined }
  /** The step brought nothing: an unknown outcome, no news, or a file store in trouble. */
  | { readonly type: 'postponed'; readonly retryAt: number }
  /** The provider has finished; its outputs are still to be put where they are kept. Keeps the claim. */
  | {
      readonly type: 'succeeded'
      readonly outputs: readonly JobOutput[]
      readonly costUsd: number
      readonly inferenceMs?: number | undefined
    }
  /** The outputs are where they are kept for now; `copyAt`: when to begin to copy those that are still at the provider. */
  | {
      readonly type: 'collected'
      readonly outputs: readonly JobOutput[]
      readonly copyAt?: number | undefined
    }
  /** Outputs of a completed job were copied into the file store; `retryAt`: when to try again with the others. */
  | { readonly type: 'copied'; readonly outputs: readonly JobOutput[]; readonly retryAt?: number | undefined }
  | {
      readonly type: 'failed'
      readonly code: JobFailure
      readonly message: string
      readonly costUsd?: number | undefined
    }

/** Why an event does not apply to a job. */
export type Refusal =
  'finished' | 'not_due' | 'already_claimed' | 'not_claimed' | 'wrong_phase' | 'no_outputs'

/** The job after `event`, one revision on, or why the event is refused. Pure. */
export function nextJob(job: Job, event: JobEvent, now: number): Job | Refusal {
  if (isFinished(job) && !(hasStepLeft(job) && mayFollowTheEnd.has(event.type))) return 'finished'
  const revised = { ...job, revision: job.revision + 1 }

  if (event.type === 'claim') {
    if (isClaimed(job, now)) return 'already_claimed'
    if (!mayStep(job, now)) return 'not_due'
    const { until, token } = event
    const claimed = {
      ...revised,
      claimedUntil: until,
      claimToken: token,
      ...(wasAbandoned(job) && { abandonedClaims: (job.abandonedClaims ?? 0) + 1 }),
    }
    return job.phase === 'accepted'
      ? { ...routed(claimed, event.route), phase: 'submitting', startedAt: now }
      : claimed
  }

  if (event.type === 'adopted') {
    if (job.phase !== 'submitting') return 'wrong_phase'
    if (isClaimed(job, now)) return 'already_claimed'
    const { claimToken: _, ...unsigned } = released(revised)
    return {
      ...unsigned,
      phase: 'running',
      handle: event.handle,
      earliestAt: now,
      dueAt: now,
      attempts: 0,
    }
  }

  if (event.type === 'hinted') {
    if (job.phase !== 'running') return 'wrong_phase'
    if (isClaimed(job, now)) return 'already_claimed'
    return { ...revised, earliestAt: event.pollAt, dueAt: event.pollAt }
  }

  if (job.claimedUntil === undefined) return 'not_claimed'
  switch (event.type) {
    case 'renew':
      return { ...revised, claimedUntil: event.until }
    case 'running': {
      if (job.phase === 'collecting') return 'wrong_phase'
      const { handle, earliestAt, dueAt } = event
      return {
        ...released(revised),
        phase: 'running',
        handle,
        checkedAt: now,
        attempts: 0,
        earliestAt,
        dueAt,
      }
    }
    case 'refused': {
      if (job.phase !== 'submitting') return 'wrong_phase'
      const { retryAt, nextRoute } = event
      const { startedAt: _, ...unstarted } = routed(delayed(revised, retryAt), nextRoute)
      const attempts = nextRoute === undefined ? unstarted.attempts : job.attempts
      return { ...unstarted, phase: 'accepted', attempts }
    }
    case 'postponed':
      return delayed(revised, event.retryAt)
    case 'succeeded': {
      if (job.phase === 'collecting') return 'wrong_phase'
      if (event.outputs.length === 0) return 'no_outputs'
      const { outputs, costUsd, inferenceMs = Math.max(0, now - (job.startedAt ?? now)) } = event
      return { ...revised, phase: 'collecting', checkedAt: now, attempts: 0, outputs, costUsd, inferenceMs }
    }
    case 'collected': {
      if (job.phase !== 'collecting') return 'wrong_phase'
      const { outputs, copyAt } = event
      if (outputs.length === 0) return 'no_outputs'
      const completed: Job = { ...finished(revised, now), phase: 'completed', attempts: 0, outputs }
      return copyAt === undefined ? completed : { ...completed, dueAt: copyAt, earliestAt: copyAt }
    }
    case 'copied': {
      if (job.phase !== 'completed') return 'wrong_phase'
      const { outputs, retryAt } = event
      return { ...(retryAt === undefined ? atRest(revised) : delayed(revised, retryAt)), outputs }
    }
    case 'failed': {
      const { code, message, costUsd = job.costUsd } = event
      return { ...finished(revised, now), phase: 'failed', costUsd, error: { code, message } }
    }
  }
}

/** Whether nothing can happen to the job any more. */
export function isFinished(job: Job): boolean {
  return job.phase === 'completed' || job.phase === 'failed'
}

/** Whether there is anything left to do for the job. */
export function hasStepLeft(job: Job): boolean {
  return job.dueAt !== undefined
}

/** Whether somebody is taking a step on the job. */
export function isClaimed(job: Job, now: number): boolean {
  return job.claimedUntil !== undefined && !hasCome(job.claimedUntil, now)
}

/** Whether a step may be taken on the job at once, on anybody's wish. */
export function mayStep(job: Job, now: number): boolean {
  return (
    hasStepLeft(job) && !isClaimed(job, now) && (job.earliestAt === undefined || hasCome(job.earliestAt, now))
  )
}

/** Whether the job waits for a step to be taken, on nobody's wish. */
export function isDue(job: Job, now: number): boolean {
  return job.dueAt !== undefined && hasCome(job.dueAt, now) && !isClaimed(job, now)
}

/**
 * Longer than any pause between two steps, and than any claim. An instant further ahead is one that was written before
 * the clock was put back, and waiting for it would hold the job for as long.
 */
export const longestPauseMs = 60 * 60_000

function hasCome(at: number, now: number): boolean {
  return at <= now || at > now + longestPauseMs
}

const mayFollowTheEnd: ReadonlySet<JobEvent['type']> = new Set(['claim', 'renew', 'copied'])

/** A claim that ran out instead of being given up: its holder died. */
function wasAbandoned(job: Job): boolean {
  return job.claimedUntil !== undefined
}

function released({ claimedUntil: _until, abandonedClaims: _claims, ...job }: Job): Job {
  return job
}

function routed(job: Job, route: string | undefined): Job {
  if (route === job.route) return job
  const { route: _, ...unrouted } = job
  return route === undefined ? unrouted : { ...unrouted, route }
}

function atRest(job: Job): Job {
  const { dueAt: _due, earliestAt: _earliest, ...rest } = released(job)
  return rest
}

function delayed(job: Job, retryAt: number): Job {
  return { ...released(job), attempts: job.attempts + 1, earliestAt: retryAt, dueAt: retryAt }
}

function finished(job: Job, now: number): Job {
  const { task: _task, ...kept } = atRest(job)
  return { ...kept, completedAt: now }
}
