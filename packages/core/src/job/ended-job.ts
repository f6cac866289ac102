import type { Job } from '../contracts/job.ts'
import type { JobFailure } from '../errors/job-failures.ts'
import { owing, scheduled } from './delivered-job.ts'
import { without } from './without.ts'

/** The part of `nextJob` that ends a job: the only work left is to notify its client. */
export function endedJob(job: Job, phase: 'completed' | 'failed', now: number): Job {
  const kept = without(known(atRest(job)), 'task', 'submitToken', 'reported')
  const ended: Job = { ...kept, phase, completedAt: Math.max(now, job.startedAt ?? job.createdAt) }
  return owing(ended, now)
}

/** @param copyAt when to begin to copy outputs that are links. `undefined` when there is nothing to copy */
export function completed(job: Job, copyAt: number | undefined, now: number): Job {
  const ended: Job = { ...endedJob(job, 'completed', now), attempts: 0 }
  return copyAt === undefined ? ended : scheduled({ ...ended, earliestAt: copyAt })
}

/** @param costUsd absent when the event does not contain the cost; the earlier cost then stays */
export function costing(job: Job, costUsd: number | undefined): Job {
  return costUsd === undefined ? job : { ...job, costUsd, isCostKnown: true }
}

/** Whether it is certain that no provider has taken on a job that fails with this code. */
export function wasNeverTaken({ startedAt, handle, costUsd, isCostKnown }: Job, code: JobFailure): boolean {
  if (handle !== undefined || isCostKnown || costUsd > 0 || code === 'submit_ambiguous') return false
  return startedAt === undefined || refusals.has(code)
}

/** The codes with which a provider refuses a task that it has looked at and not taken on. */
const refusals: ReadonlySet<JobFailure> = new Set(['provider_rejected', 'input_fetch_failed'])

/** Ends a cancelled job that certainly no provider has taken on. */
export function unsubmitted(job: Job, now: number): Job {
  const error = { code: 'canceled', message: 'The job was canceled before it was submitted.' } as const
  return costing({ ...endedJob(job, 'failed', now), error }, 0)
}

/**
 * Whether no process has submitted the job, and none can submit it without writing to it first. Another process may have
 * claimed the job since, to look for its task.
 */
export function mayBeWithdrawn({ phase, submitToken }: Job, unusedClaim: string | undefined): boolean {
  return (
    phase === 'accepted' ||
    (phase === 'submitting' && submitToken !== undefined && submitToken === unusedClaim)
  )
}

/**
 * Ends a job whose existence the client must never see: the job is expired, and owes no delivery. It has no
 * `completedAt`, so that no ledger gets an entry for it.
 */
export function withdrawn(job: Job): Job {
  return { ...without(atRest(job), 'task', 'submitToken', 'webhook'), phase: 'failed', expiresAt: 0 }
}

/** The job with no step left. */
export function atRest(job: Job): Job {
  return without(released(job), 'dueAt', 'earliestAt')
}

/** The job without its claim, and without the fields that matter only until the next claim. */
export function released(job: Job): Job {
  return without(job, 'claimedUntil', 'abandonedClaims', 'isHinted', 'isQuiet')
}

/** Removes the record of failures from the time before the provider knew the task. */
export function known(job: Job): Job {
  return without(job, 'unknown', 'setback')
}

/** After a step that has changed nothing: forgets a submit that this step has made, because that submit is over. */
export function submitOver(job: Job): Job {
  const hasSubmitted = job.phase === 'submitting' && job.submitToken === job.claimToken
  return hasSubmitted ? without(job, 'submitToken') : job
}
