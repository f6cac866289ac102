import type { Processes } from '../contracts/storage/backend.ts'
import type { Job, Setback } from '../contracts/job.ts'
import { processOf } from '../claims/holder-of.ts'
import { courtesyMs, quickMs } from '../pacing/pauses.ts'

/** For how long a due job is left to other processes, in milliseconds: until their sweeps have seen it, and a reserve. */
const leftMs = courtesyMs + quickMs + 250

/** Why a try has failed that may succeed in another process: by other credentials, or over another network. */
const mayBeOurs: ReadonlySet<Setback['why']> = new Set(['account', 'unreached', 'no_answer'])

/**
 * Until when this process leaves the next step of a job to other processes, in milliseconds since the Unix epoch. It does so
 * if the latest try was its own and has failed for a reason that may be its own, such as a key that was revoked. Otherwise
 * it would always be the first to try again, since it knows when the job is due.
 * @returns `undefined` when it leaves nothing to others
 */
export function leftToOthersUntil(
  { claim, attempts, setback, isHinted, dueAt, deadlineAt }: Job,
  processes: Pick<Processes, 'id'> | undefined,
): number | undefined {
  if (dueAt === undefined || isHinted || attempts === 0) return undefined
  if (!setback || !mayBeOurs.has(setback.why)) return undefined
  if (!processes || processOf(claim?.token) !== processes.id) return undefined
  return Math.max(dueAt, Math.min(dueAt + leftMs, deadlineAt))
}
