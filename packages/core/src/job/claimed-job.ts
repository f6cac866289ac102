import type { Job } from '../contracts/job.ts'
import type { EventOf } from './job-event.ts'
import { without } from './job-fields.ts'

export function claimedJob(job: Job, _now: number, event: EventOf<'claim'>): Job {
  return { ...without(job, 'isHinted'), ...event.nextPoll, claim: claimOf(job, event) }
}

export function submittingJob(job: Job, now: number, event: EventOf<'claim'>): Job {
  const { token, route, provider = job.provider, providerModel } = event
  return {
    ...without(job, 'isHinted'),
    claim: claimOf(job, event),
    phase: 'submitting',
    startedAt: Math.max(now, job.createdAt),
    submitToken: token,
    // The create may have put off the first step. Now the claim does, and whoever frees the job goes on at once.
    dueAt: Math.min(job.dueAt ?? now, now),
    route,
    provider,
    providerModel: providerModel === job.model ? undefined : providerModel,
  } as Job
}

function claimOf(job: Job, event: EventOf<'claim'>): Job['claim'] {
  const { until, token, nextPoll } = event
  const deaths = (job.claim?.deaths ?? 0) + (hasDied(job, event) ? 1 : 0)
  return { token, until, ...(nextPoll && { isQuiet: true }), ...(deaths > 0 && { deaths }) }
}

/** Whether the process that held an earlier claim has died during its step. */
function hasDied({ claim }: Job, { holder }: EventOf<'claim'>): boolean {
  if (claim?.until === undefined) return false
  // The claim ran out instead of being given up. The claim of a poll runs out by itself when there is no news.
  return claim.isQuiet ? holder === 'ended' : holder !== 'alive'
}

/** `freed`: what remains is a claim that ran out, and was not for a poll without news. */
export function freedJob(job: Job, now: number): Job {
  return { ...job, claim: { until: now, deaths: job.claim?.deaths } }
}

export function renewedJob(job: Job, _now: number, event: EventOf<'renew'>): Job {
  const { claim, phase } = job
  const { until, isSubmit, reservedUsd = job.reservedUsd, handle, nextPoll } = event
  const renewed = {
    ...job,
    ...nextPoll,
    claim: { ...claim, until, isQuiet: nextPoll && (true as const) },
    ...(reservedUsd !== undefined && { reservedUsd }),
    ...(handle !== undefined && { handle }),
  }
  const submits = isSubmit && claim?.token !== undefined && phase === 'submitting'
  return submits ? { ...renewed, submitToken: claim.token } : renewed
}
