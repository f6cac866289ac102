import type { Processes } from '../contracts/storage/backend.ts'
import type { Job } from '../contracts/job.ts'
import { processOf } from './holder-of.ts'

/**
 * For how many milliseconds after it is due a poll is claimed ahead. Other processes leave a due job to its own process for
 * half of that anyway. A poll that takes longer renews the claim.
 */
const aheadMs = 500
/** If less than this is left of a claim when its poll begins, in milliseconds, another process may be about to poll. */
const leastLeftMs = 150
/** The longest claim that is made before its step begins, in milliseconds. It is in the way when its process dies. */
export const longestQuietMs = 15_000

/** What claims ahead depend on. */
export interface AheadContext {
  readonly processes: Pick<Processes, 'id'> | undefined
  /** Whether this process itself takes the steps that it has planned, at their time. */
  readonly wakesItself: boolean
}

/**
 * Until when a process that writes when a task is to be polled next claims that poll with the same write. Nobody may poll
 * before `earliestAt`, so the claim keeps no client waiting who reads the job in another process.
 * @returns `undefined` when the poll is claimed by a write of its own
 */
export function claimedAheadUntil(
  { processes, wakesItself }: AheadContext,
  { earliestAt, dueAt }: { readonly earliestAt: number; readonly dueAt: number },
  now: number,
): number | undefined {
  const until = dueAt + aheadMs
  return processes && wakesItself && earliestAt === dueAt && until - now <= longestQuietMs ? until : undefined
}

/** Whether this process has claimed the poll ahead that is due now. */
export function isClaimedAhead(
  { claim, dueAt }: Job,
  now: number,
  processes: Pick<Processes, 'id'> | undefined,
): boolean {
  if (!claim?.isQuiet || claim.until === undefined || dueAt === undefined) return false
  // The quiet claim of a poll that has begun ends before the next one is due.
  const isTime = dueAt <= now && now <= claim.until - leastLeftMs && claim.until <= dueAt + aheadMs
  return isTime && processOf(claim.token) === processes?.id
}
