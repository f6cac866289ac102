import type { Job } from '../contracts/job.ts'
import { unowing } from './delivered-job.ts'
import { known, released } from './ended-job.ts'
import type { JobEvent } from './job-event.ts'
import { without } from './without.ts'

/**
 * The part of `nextJob` that applies news about the outcome of a submit, whichever process holds the claim, and even if the
 * job has failed in the meantime.
 * @param isClaimed whether a process has a live claim on the job
 */
export function answeredJob(
  job: Job,
  revised: Job,
  event: Extract<JobEvent, { type: 'adopted' | 'retaken' }>,
  now: number,
  isClaimed: boolean,
): Job | 'finished' | 'wrong_phase' {
  const { phase } = job
  const isFinished = phase === 'completed' || phase === 'failed'
  if (!awaitsAnswer(job)) return isFinished ? 'finished' : 'wrong_phase'
  const open = known(isFinished ? reopened(revised, now) : revised)
  const startedAt = job.startedAt ?? Math.max(now, job.createdAt)
  if (event.type === 'retaken') {
    const { until, token } = event
    return {
      ...released(open),
      phase: 'submitting',
      startedAt,
      claimedUntil: until,
      claimToken: token,
      dueAt: now,
    }
  }
  const adopted = isClaimed
    ? { ...without(open, 'abandonedClaims'), isHinted: true }
    : without(released(open), 'claimToken')
  const { handle } = event
  return { ...adopted, phase: 'running', startedAt, handle, attempts: 0, earliestAt: now, dueAt: now }
}

/** The part of `nextJob` that continues a job which failed because no process had its provider. The claim stays. */
export function resumedJob(revised: Job, now: number): Job {
  const { outputs, handle } = revised
  const phase = outputs.length > 0 ? 'collecting' : handle === undefined ? 'submitting' : 'running'
  return { ...reopened(revised, now), phase, dueAt: now, earliestAt: now }
}

/** The failed job as one that continues, with as much time until its new deadline as it had at the beginning. */
function reopened(job: Job, now: number): Job {
  const { deadlineAt, createdAt, expiresAt } = job
  const again = Math.min(expiresAt, now + deadlineAt - createdAt)
  return { ...unowing(without(job, 'error', 'completedAt') as Job), deadlineAt: Math.max(deadlineAt, again) }
}

/**
 * Whether the outcome of the job's submit is unknown, there was no submit yet, or the job failed because no process had
 * its provider.
 */
export function awaitsAnswer(job: Job): boolean {
  const { phase, error } = job
  if (phase === 'accepted' || phase === 'submitting') return true
  return error?.code === 'submit_ambiguous' || awaitsProvider(job)
}

/** Whether the job failed because no process had its provider. It continues when a process has the provider again. */
export function awaitsProvider({ phase, earliestAt }: Job): boolean {
  return phase === 'failed' && earliestAt !== undefined
}
