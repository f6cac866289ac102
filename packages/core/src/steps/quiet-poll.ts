import type { Job } from '../contracts/job.ts'
import type { JobEvent } from '../job/job-event.ts'
import type { Route } from '../routing/routes.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import type { NextPoll } from '../claims/claim.ts'
import type { StepContext } from './step.ts'
import { nextPoll } from './step-result.ts'

/**
 * The next poll, if the poll that begins now may be quiet, which means that it writes nothing if there is no news. The
 * job must have none of the fields that this poll would have to clear.
 * @returns `undefined` when the outcome must be written in any case
 */
export function quietPoll(context: StepContext, job: Job, route: Route | undefined): NextPoll | undefined {
  const { processes, isInThisProcess, clock } = context
  // Without `processes` a claim that has run out must mean that its process has died.
  if (job.phase !== 'running' || !route || !(processes || isInThisProcess)) return undefined
  const isUneventful =
    job.attempts === 0 && !job.claim?.deaths && !job.unknown && !job.isHinted && !job.cancelAskedAt
  const isHandedOver = job.claim?.until === undefined || job.claim.isQuiet
  if (!isUneventful || !isHandedOver) return undefined
  const next = nextPoll({ context, job, provider: route.provider }, job.pollAfterMs)
  return next.earliestAt - clock.now() < minPollIntervalMs ? undefined : next
}

/** Whether the outcome of a quiet poll is that there is no news. */
export function isNoNews(job: Job, event: JobEvent | undefined): boolean {
  return (
    job.claim?.isQuiet === true &&
    event?.type === 'running' &&
    event.pollAfterMs === job.pollAfterMs &&
    JSON.stringify(event.handle) === JSON.stringify(job.handle)
  )
}
