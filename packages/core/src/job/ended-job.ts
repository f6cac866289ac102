import type { Job } from '../contracts/job.ts'
import type { JobFailure } from '../errors/error-codes.ts'
import { owing, scheduled } from './delivered-job.ts'
import type { EventOf } from './job-event.ts'
import { atRest, delayed, withoutFailures, without } from './job-fields.ts'

export function succeededJob(job: Job, now: number, event: EventOf<'succeeded'>): Job {
  const {
    outputs,
    costUsd,
    collected,
    tokens,
    inferenceMs = Math.max(0, now - (job.startedAt ?? now)),
  } = event
  const claim = { ...job.claim, deaths: undefined, isQuiet: undefined }
  const rest = { ...without(withoutFailures(job), 'reported'), claim }
  const made = { outputs, inferenceMs, ...(tokens && { tokens }) }
  const collecting = costing({ ...rest, phase: 'collecting', checkedAt: now, ...made }, costUsd)
  return collected ? completed(collecting, now, collected.copyAt) : { ...collecting, attempts: 0 }
}

export function collectedJob(job: Job, now: number, { outputs, copyAt }: EventOf<'collected'>): Job {
  return completed({ ...job, outputs }, now, copyAt)
}

/** @param copyAt when to begin to copy outputs that are links. `undefined` when there is nothing to copy */
function completed(job: Job, now: number, copyAt: number | undefined): Job {
  const ended: Job = { ...endedJob(job, 'completed', now), attempts: 0 }
  return copyAt === undefined ? ended : scheduled({ ...ended, earliestAt: copyAt })
}

export function copiedJob(job: Job, _now: number, { outputs, retryAt }: EventOf<'copied'>): Job {
  return scheduled({ ...(retryAt === undefined ? atRest(job) : delayed(job, retryAt)), outputs })
}

export function failedJob(job: Job, now: number, event: EventOf<'failed'>): Job {
  const { code, message, detail, lookAt } = event
  const { submitToken } = job
  const isAmbiguous = code === 'submit_ambiguous'
  // The callback has shown that the provider has the task, or how the task has ended.
  if ((isAmbiguous && job.phase === 'running') || (job.isHinted && job.reported)) return delayed(job, now)
  const costUsd = event.costUsd ?? (wasNeverTaken(job, code) ? 0 : undefined)
  const failed = costing(
    { ...endedJob(job, 'failed', now), error: { code, message, ...(detail && { detail }) } },
    costUsd,
  )
  if (!isAmbiguous && lookAt === undefined) return failed
  const rest: Job = { ...failed, ...(submitToken && { submitToken }) }
  return lookAt === undefined ? rest : scheduled({ ...rest, earliestAt: lookAt })
}

/** Whether it is certain that no provider has taken on a job that fails with this code. */
function wasNeverTaken({ startedAt, handle, costUsd, isCostKnown }: Job, code: JobFailure): boolean {
  if (handle !== undefined || isCostKnown || costUsd > 0 || code === 'submit_ambiguous') return false
  return startedAt === undefined || refusals.has(code)
}

/** The codes with which a provider refuses a task that it has looked at and not taken on. */
const refusals: ReadonlySet<JobFailure> = new Set(['provider_rejected', 'input_fetch_failed'])

/** `cancelAsked` of a job that certainly no provider has taken on: it fails. */
export function unsubmittedJob(job: Job, now: number): Job {
  const error = { code: 'canceled', message: 'The job was canceled before it was submitted.' } as const
  const { cancelAskedAt = now } = job
  return costing({ ...endedJob({ ...job, cancelAskedAt }, 'failed', now), error }, 0)
}

/** The job after its end: the only work left is to notify its client. */
function endedJob(job: Job, phase: 'completed' | 'failed', now: number): Job {
  const rest = without(withoutFailures(atRest(job)), 'submitToken', 'reported')
  const ended: Job = { ...rest, phase, completedAt: Math.max(now, job.startedAt ?? job.createdAt) }
  return owing(ended, now)
}

/** @param costUsd absent when the event does not contain the cost; the earlier cost then stays */
function costing(job: Job, costUsd: number | undefined): Job {
  return costUsd === undefined ? job : { ...job, costUsd, isCostKnown: true }
}
