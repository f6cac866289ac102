import type { Job } from '../contracts/job.ts'
import { unowing } from './delivered-job.ts'
import type { EventOf } from './job-event.ts'
import { withoutFailures, released, without } from './job-fields.ts'
import { isClaimed, isFinished, storedOutputs } from './job-state.ts'

export function retakenJob(job: Job, now: number, { until, token }: EventOf<'retaken'>): Job {
  const open = released(submitted(job, now))
  return { ...open, phase: 'submitting', claim: { until, token }, dueAt: now }
}

export function adoptedJob(job: Job, now: number, { handle }: EventOf<'adopted'>): Job {
  const open = submitted(job, now)
  const adopted = isClaimed(job, now)
    ? { ...open, claim: { ...open.claim, deaths: undefined }, isHinted: true }
    : without(open, 'claim', 'isHinted')
  return { ...adopted, phase: 'running', handle, attempts: 0, earliestAt: now, dueAt: now }
}

/** The job as one whose submit has an answer. */
function submitted(job: Job, now: number): Job {
  const { startedAt = Math.max(now, job.createdAt) } = job
  return { ...withoutFailures(isFinished(job) ? reopened(job, now) : job), startedAt }
}

export function resumedJob(job: Job, now: number): Job {
  const { outputs, handle } = job
  // Of a running task there are only outputs that are stored.
  const phase =
    outputs.length > storedOutputs(job).length
      ? 'collecting'
      : handle === undefined
        ? 'submitting'
        : 'running'
  return { ...reopened(job, now), phase, dueAt: now, earliestAt: now }
}

/** The failed job as one that continues, with as much time until its new deadline as it had at the beginning. */
function reopened(job: Job, now: number): Job {
  const { deadlineAt, createdAt, expiresAt, reservedUsd } = job
  const again = Math.min(expiresAt, now + deadlineAt - createdAt)
  const open = unowing(without(job, 'error', 'completedAt') as Job)
  const inLedger = reservedUsd === undefined ? {} : ({ isInLedger: true } as const)
  return { ...open, ...inLedger, deadlineAt: Math.max(deadlineAt, again) }
}
