import type { Json } from '../contracts/json.ts'
import type { Job, JobOutput } from '../contracts/job.ts'
import type { JobFailure } from '../errors/job-failures.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'

/**
 * The life of a job. Nothing else changes one.
 *
 * ```
 *                  claim                 running
 *   accepted ---------------> submitting --------> running --+ running, postponed, unknown, hinted
 *      ^  |                    |  ^ |  |             |  ^     |
 *      |  |                    |  +-+  +-------------|--------+ adopted
 *      +------- refused -------+  postponed          |
 *         |                    |                     |
 *         |                    +----- succeeded -----+
 *         |                               |
 *         |                               v    collected
 *         |                           collecting ---------> completed
 *         |
 *         +--> failed, as from each of the other three; from failed with submit_ambiguous: adopted -> running,
 *              retaken -> submitting
 * ```
 *
 * Every step begins with `claim`, which names until when nobody else may step, and ends with an event that gives the
 * claim up. `accepted -> submitting` is written before the provider is called: a job that is found in `submitting`
 * without a live claim is one whose submit has an unknown outcome.
 *
 * `completed` and `failed` are final, with one exception: a job that failed with `submit_ambiguous` was perhaps paid for,
 * and goes on when its provider's callback (`adopted`) or the late answer to its submit (`retaken`) tells that it was.
 *
 * Callbacks do not wait for claims. A claim's holder finds what they have written when its own write is stale, and goes
 * on from there, because the claim is still its own.
 *
 * A completed job whose outputs are yet to be copied has steps left, which end with `copied` and change nothing else.
 */
export type JobEvent =
  /**
   * A step begins; `route` is the one by which an accepted job is about to be submitted. `isHolderAlive`: an earlier claim
   * has run out, but the process that made it is known to live.
   */
  | {
      readonly type: 'claim'
      readonly until: number
      readonly token: string
      readonly route?: string | undefined
      readonly isHolderAlive?: boolean | undefined
    }
  /** The process that holds the claim has ended. */
  | { readonly type: 'freed' }
  /** A process whose claim another one has taken over has the answer to the job's submit, and takes the job back. */
  | { readonly type: 'retaken'; readonly until: number; readonly token: string }
  /** The step takes longer. */
  | { readonly type: 'renew'; readonly until: number }
  /** The provider has the task and works on it. */
  | { readonly type: 'running'; readonly handle: Json; readonly earliestAt: number; readonly dueAt: number }
  /** A callback tells the handle of a submit whose answer has not been written down. */
  | { readonly type: 'adopted'; readonly handle: Json }
  /** A callback says that there is news of a running task. */
  | { readonly type: 'hinted'; readonly pollAt: number }
  /** The provider has not taken the task on. `nextRoute` is tried instead; that does not count as one more failed try. */
  | { readonly type: 'refused'; readonly retryAt: number; readonly nextRoute?: string | undefined }
  /** The provider does not know the task at this moment. */
  | { readonly type: 'unknown'; readonly retryAt: number }
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
  /** The files of an expired job could not be deleted. */
  | { readonly type: 'undeletable'; readonly retryAt: number }
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
  const revised = { ...job, revision: job.revision + 1, updatedAt: now }
  if (event.type === 'undeletable')
    return isFinished(job) ? { ...revised, deleteAt: event.retryAt } : 'wrong_phase'
  if (event.type === 'adopted' || event.type === 'retaken') return answered(job, revised, event, now)
  if (isFinished(job) && !(hasStepLeft(job) && mayFollowTheEnd.has(event.type))) return 'finished'

  if (event.type === 'claim') {
    if (isClaimed(job, now)) return 'already_claimed'
    if (!mayStep(job, now)) return 'not_due'
    const { until, token, isHolderAlive } = event
    const { isHinted: _, abandonedClaims = 0, ...asked } = revised
    // A claim that ran out instead of being given up: its holder died.
    const deaths = abandonedClaims + (job.claimedUntil !== undefined && !isHolderAlive ? 1 : 0)
    const own = { claimedUntil: until, claimToken: token }
    const claimed: Job = { ...asked, ...own, ...(deaths > 0 && { abandonedClaims: deaths }) }
    return job.phase === 'accepted'
      ? {
          ...routed(claimed, event.route),
          phase: 'submitting',
          startedAt: Math.max(now, job.createdAt),
          submitToken: token,
        }
      : claimed
  }

  if (event.type === 'hinted') {
    if (job.phase !== 'running') return 'wrong_phase'
    const hinted: Job = { ...revised, dueAt: event.pollAt, isHinted: true }
    return isClaimed(job, now) ? hinted : { ...hinted, earliestAt: event.pollAt }
  }

  if (job.claimedUntil === undefined) return 'not_claimed'
  switch (event.type) {
    case 'freed': {
      const { claimToken: _, ...unsigned } = revised
      return { ...unsigned, claimedUntil: now }
    }
    case 'renew':
      return { ...revised, claimedUntil: event.until }
    case 'running': {
      if (job.phase === 'collecting') return 'wrong_phase'
      const { handle, earliestAt, dueAt } = event
      // The callback may tell of something newer than this answer, whatever pause the provider has asked for.
      const hintedAt = Math.min(dueAt, now + minPollIntervalMs)
      const next = job.isHinted ? { earliestAt: hintedAt, dueAt: hintedAt } : { earliestAt, dueAt }
      const told: Job = { ...known(released(revised)), ...next, checkedAt: now, attempts: 0 }
      return { ...told, phase: 'running', handle }
    }
    case 'refused': {
      if (job.phase === 'running') return delayed(revised, event.retryAt)
      if (job.phase !== 'submitting') return 'wrong_phase'
      const { retryAt, nextRoute } = event
      const {
        startedAt: _startedAt,
        submitToken: _token,
        ...unstarted
      } = routed(delayed(revised, retryAt), nextRoute)
      const attempts = nextRoute === undefined ? unstarted.attempts : job.attempts
      return { ...unstarted, phase: 'accepted', attempts }
    }
    case 'unknown': {
      const { since = now, count = 0 } = job.unknown ?? {}
      return { ...delayed(revised, event.retryAt), checkedAt: now, unknown: { since, count: count + 1 } }
    }
    case 'postponed':
      return delayed(revised, event.retryAt)
    case 'succeeded': {
      if (job.phase === 'collecting') return 'wrong_phase'
      if (event.outputs.length === 0) return 'no_outputs'
      const { outputs, costUsd, inferenceMs = Math.max(0, now - (job.startedAt ?? now)) } = event
      const { abandonedClaims: _, ...told } = known(revised)
      return { ...told, phase: 'collecting', checkedAt: now, attempts: 0, outputs, costUsd, inferenceMs }
    }
    case 'collected': {
      if (job.phase !== 'collecting') return 'wrong_phase'
      const { outputs, copyAt } = event
      if (outputs.length === 0) return 'no_outputs'
      const completed: Job = { ...done(revised, now), phase: 'completed', attempts: 0, outputs }
      return copyAt === undefined ? completed : { ...completed, dueAt: copyAt, earliestAt: copyAt }
    }
    case 'copied': {
      if (job.phase !== 'completed') return 'wrong_phase'
      const { outputs, retryAt } = event
      return { ...(retryAt === undefined ? atRest(revised) : delayed(revised, retryAt)), outputs }
    }
    case 'failed': {
      const { code, message, costUsd = job.costUsd } = event
      const isAmbiguous = code === 'submit_ambiguous'
      // A callback has told meanwhile that the provider has the task.
      if (isAmbiguous && job.phase === 'running') return delayed(revised, now)
      const ended = done(revised, now)
      const failed: Job = { ...ended, phase: 'failed', costUsd, error: { code, message } }
      const { task, submitToken } = job
      return isAmbiguous ? { ...failed, ...(task && { task }), ...(submitToken && { submitToken }) } : failed
    }
  }
}

/** What became of a submit has come to light, whoever holds the job and even if it was given up. */
function answered(
  job: Job,
  revised: Job,
  event: Extract<JobEvent, { type: 'adopted' | 'retaken' }>,
  now: number,
): Job | Refusal {
  if (!awaitsAnswer(job)) return isFinished(job) ? 'finished' : 'wrong_phase'
  const { error: _error, completedAt: _completedAt, ...open } = revised
  // A job that had failed gets a new deadline, as far ahead as its first one was.
  const again = Math.min(job.expiresAt, now + job.deadlineAt - job.createdAt)
  const reopened = { ...open, ...(isFinished(job) && { deadlineAt: Math.max(job.deadlineAt, again) }) }
  const startedAt = job.startedAt ?? Math.max(now, job.createdAt)
  if (event.type === 'retaken') {
    const { until, token } = event
    return {
      ...released(reopened),
      phase: 'submitting',
      startedAt,
      claimedUntil: until,
      claimToken: token,
      dueAt: now,
    }
  }
  const { abandonedClaims: _, ...told } = reopened
  const { claimToken: __, ...unsigned } = released(reopened)
  const adopted = isClaimed(job, now) ? { ...told, isHinted: true } : unsigned
  const { handle } = event
  return { ...adopted, phase: 'running', startedAt, handle, attempts: 0, earliestAt: now, dueAt: now }
}

/** Whether it is not known what became of the job's submit, if there was one. */
export function awaitsAnswer({ phase, error }: Job): boolean {
  return phase === 'accepted' || phase === 'submitting' || error?.code === 'submit_ambiguous'
}

/** Whether the job has come to its end, as far as anybody knows. */
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

const mayFollowTheEnd: ReadonlySet<JobEvent['type']> = new Set(['claim', 'freed', 'renew', 'copied'])

function released({ claimedUntil: _until, abandonedClaims: _claims, isHinted: _hint, ...job }: Job): Job {
  return job
}

/** The provider knows the task. */
function known({ unknown: _, ...job }: Job): Job {
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

function done(job: Job, now: number): Job {
  const { task: _task, submitToken: _token, ...kept } = known(atRest(job))
  return { ...kept, completedAt: Math.max(now, job.startedAt ?? job.createdAt) }
}
