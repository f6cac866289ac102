import type { Job } from '../contracts/job.ts'
import type { JobEvent } from './job-event.ts'
import { without } from './without.ts'

type ClaimEvent = Extract<JobEvent, { type: 'claim' }>

/** The part of `nextJob` that applies `claim`: the job with the claim, if it may be claimed. */
export function claimedJob(job: Job, event: ClaimEvent, now: number): Job {
  const { until, token, route, provider, providerModel, nextPoll, isInsert } = event
  const deaths = (job.abandonedClaims ?? 0) + (hasDied(job, event) ? 1 : 0)
  const asked = without(job, 'isHinted', 'isQuiet', 'abandonedClaims')
  const claimed: Job = {
    ...asked,
    revision: isInsert ? job.revision : job.revision + 1,
    updatedAt: now,
    claimedUntil: until,
    claimToken: token,
    ...(nextPoll && { ...nextPoll, isQuiet: true as const }),
    ...(deaths > 0 && { abandonedClaims: deaths }),
  }
  if (job.phase !== 'accepted') return claimed
  return {
    ...without(routed(claimed, route), 'providerModel'),
    phase: 'submitting',
    startedAt: Math.max(now, job.createdAt),
    submitToken: token,
    ...(provider !== undefined && { provider }),
    ...(providerModel !== undefined && providerModel !== job.model && { providerModel }),
  }
}

/** The job with the name of this route, or without one. */
export function routed(job: Job, route: string | undefined): Job {
  if (route === job.route) return job
  return route === undefined ? without(job, 'route') : { ...job, route }
}

/** Whether the process that held an earlier claim has died during its step. */
function hasDied({ claimedUntil, isQuiet }: Job, { holder }: ClaimEvent): boolean {
  if (claimedUntil === undefined) return false
  // The claim ran out instead of being given up. The claim of a poll runs out by itself when there is no news.
  return isQuiet ? holder === 'ended' : holder !== 'alive'
}
