import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { throwUnavailable } from '../errors/store-unavailable.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { limitsOf } from './limits-of.ts'
import type { Limits } from './owner-limits.ts'
import { type CountRequest, ownRequestCount, sharedRequestCount } from './request-count.ts'
import type { RequestCounter, RequestQuota } from './request-quota.ts'
import { type RunningPlace, runningPlaces } from './running-places.ts'
import { type Spending, spending } from './spending.ts'
import { type Storage, storage } from './storage.ts'
import { type UploadRooms, uploadRooms } from './upload-room.ts'

/** What {@link limiter} works with. */
export interface LimiterContext {
  readonly limits: Limits
  readonly requestCounter: RequestCounter | undefined
  /** The methods of the job store that the limits need. A method is absent when no owner has its limit. */
  readonly calls: {
    readonly [Call in 'costs' | 'noteUpload' | 'storedBytes' | 'unfinished']: JobStore[Call] | undefined
  }
  readonly clock: Clock
}

/** Keeps the limits of owners. */
export interface Limiter {
  /** Checks what the owner has used up. @throws GenerationError `insufficient_quota`, `store_unavailable` */
  admit(owner: string): Promise<void>
  /**
   * Reserves a place among the owner's unfinished jobs for a create.
   * @returns `undefined` for an owner without this limit
   * @throws GenerationError `too_many_running_jobs`, `store_unavailable`
   */
  takePlace(owner: string): Promise<RunningPlace | undefined>
  /** Counts a request. @returns `undefined` for an owner without this limit */
  countRequest(owner: string): Promise<RequestQuota | undefined>
  /** Absent when uploads do not count in a limit of their owner. */
  readonly uploadRooms: UploadRooms | undefined
  /** Called with each job that this process has written. */
  wrote(job: Job): void
  /** Called with each job that this process has ended. */
  ended(job: Job): void
}

/**
 * How long a create waits for a sum from the job store, in milliseconds, so that it fails within 2 seconds when the
 * store hangs. A longer read continues, for the next create.
 */
const readLimitMs = 400
/** Sums of US dollars are not exact, so a sum that is this little below its limit has reached it. */
const roundingUsd = 1e-9

/** Makes the limiter of a service. */
export function limiter({ limits, requestCounter, calls, clock }: LimiterContext): Limiter {
  const { costs, noteUpload, storedBytes, unfinished } = calls
  const limitsFor = limitsOf(limits, clock)
  const spent = costs && spending(costs, clock)
  const stored = storedBytes && storage(storedBytes, clock)
  const takePlace = unfinished && runningPlaces(unfinished, clock)
  let count: CountRequest | undefined

  async function checkSpending(owner: string, { of }: Spending, most: number): Promise<void> {
    const usd = await withinLimit(clock, readLimitMs, 'ledger', () => of(owner)).catch(throwUnavailable)
    if (usd < most - roundingUsd) return
    const message = `Your jobs have cost ${usd.toFixed(2)} US dollars in the last 24 hours; ${most.toFixed(2)} are allowed.`
    throw new GenerationError('insufficient_quota', message)
  }

  async function checkStorage(owner: string, { of }: Storage, most: number): Promise<void> {
    const read = () => of(owner, most)
    const bytes = await withinLimit(clock, readLimitMs, 'job store', read).catch(throwUnavailable)
    if (bytes < most) return
    const message = `Your files take ${bytes} bytes; ${most} are allowed. Delete jobs or uploads, or wait until they expire.`
    throw new GenerationError('insufficient_quota', message)
  }

  return {
    async admit(owner) {
      const { spendUsdPerDay, storedBytes: most } = await limitsFor(owner)
      if (spent && spendUsdPerDay !== undefined) await checkSpending(owner, spent, spendUsdPerDay)
      if (stored && most !== undefined) await checkStorage(owner, stored, most)
    },

    async takePlace(owner) {
      const { runningJobs } = await limitsFor(owner)
      return runningJobs === undefined ? undefined : takePlace?.(owner, runningJobs).catch(throwUnavailable)
    },

    async countRequest(owner) {
      const { requestsPerMinute } = await limitsFor(owner)
      if (requestsPerMinute === undefined) return undefined
      count ??= requestCounter ? sharedRequestCount(requestCounter, clock) : ownRequestCount(clock)
      return count(owner, requestsPerMinute)
    },

    uploadRooms:
      noteUpload && storedBytes && stored
        ? uploadRooms({ noteUpload, storedBytes }, limitsFor, stored, clock)
        : undefined,
    wrote: (job) => stored?.saw(job),
    ended: (job) => spent?.saw(job),
  }
}
