import type { Processes } from '../contracts/storage/backend.ts'
import type { Job } from '../contracts/job.ts'
import type { NextPoll } from '../job/job-event.ts'
import type { Ending } from '../contracts/ending.ts'
import { courtesyMs } from '../pacing/pauses.ts'
import { processOf } from './holder-of.ts'

/** If less than this is left of a claim when its poll begins, in milliseconds, another process may be about to poll. */
const leastLeftMs = 100
/** The longest claim that is made before its step begins, in milliseconds. It is in the way when its process dies. */
export const longestQuietMs = 15_000

/** What claims ahead depend on. */
export interface AheadContext {
  readonly processes: Pick<Processes, 'id'> | undefined
  /** Whether this process itself takes the steps that it has planned, at their time. */
  readonly wakesItself: boolean
  readonly closing: Ending
}

/**
 * Until when a process that writes when a task is to be polled next claims that poll with the same write. Nobody may poll
 * before `earliestAt`, and after `dueAt` other processes leave the job to this one for `courtesyMs`, so the claim delays none of
 * them.
 * @returns `undefined` when the poll is claimed by a write of its own
 */
export function claimedAheadUntil(
  { processes, wakesItself, closing }: AheadContext,
  { earliestAt, dueAt }: NextPoll,
  now: number,
): number | undefined {
  const until = dueAt + courtesyMs
  if (!processes || !wakesItself || closing.hasEnded || earliestAt !== dueAt) return undefined
  return until - now <= longestQuietMs ? until : undefined
}

/** Whether this process has claimed the next poll of the job ahead. */
export function hasClaimedAhead({ claim, dueAt }: Job, processes: AheadContext['processes']): boolean {
  // The quiet claim of a poll that has begun ends before the next one is due.
  const isAhead = claim?.isQuiet === true && dueAt !== undefined && (claim.until ?? 0) > dueAt
  return isAhead && processOf(claim.token) === processes?.id
}

/** Whether this process has claimed the poll ahead that is due now. */
export function isClaimedAhead(job: Job, now: number, processes: AheadContext['processes']): boolean {
  const { claim, dueAt = 0 } = job
  return hasClaimedAhead(job, processes) && dueAt <= now && now <= (claim?.until ?? 0) - leastLeftMs
}

/** How long the claim of a quiet poll lasts, in milliseconds: until the next poll may begin, or shorter. */
export function quietLeaseMs({ earliestAt }: NextPoll, now: number): number {
  return Math.min(longestQuietMs, earliestAt - now)
}
