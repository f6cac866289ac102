import { LRUCache } from 'lru-cache'
import type { Clock } from '../contracts/clock.ts'
import { accepts, type Check, count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How much one owner may use. A limit that is absent does not exist. */
export interface OwnerLimits {
  /**
   * How many requests the owner may send in a minute through the /v1 interface, of any kind: a whole number of at least
   * 1. One more is refused as `rate_limit_exceeded`. Links to outputs and callbacks, which carry no key, do not count.
   * Each process counts on its own, unless the service has a `requestCounter`.
   */
  readonly requestsPerMinute?: number | undefined
  /**
   * How much the owner's jobs may have cost in the last 24 hours, in US dollars, by the ledger of the backend. When that
   * much is reached, further jobs are refused as `insufficient_quota`; the jobs that are under way go on, so their cost
   * may pass the limit. What other processes spend is known 2 seconds later at the most. Jobs whose cost nobody knows
   * count as 0.
   */
  readonly spendUsdPerDay?: number | undefined
  /**
   * How many unfinished jobs the owner may have, by the job store that all processes share: a whole number of at least 1.
   * Further jobs are refused as `too_many_running_jobs`. Creates of one process never pass the limit. Those of several
   * processes may, by the creates that are under way in other processes at that instant. @default
   * `maxRunningJobsPerOwner`, which each process counts on its own
   */
  readonly runningJobs?: number | undefined
  /**
   * How many bytes the owner's files may take in `files`, outputs of jobs and uploads together: a whole number of at least
   * 1. When they take that much, further jobs are refused as `insufficient_quota`; the jobs that are under way go on, so
   * their outputs may pass the limit. What other processes store or free is known 10 seconds later at the most. An upload
   * that does not fit is refused as `insufficient_quota`, by the length that it announces or by what has come in, and
   * counts in all processes while it comes in: uploads never pass the limit. A job or an upload frees its bytes when it is
   * deleted or expires. Links that are not copied do not count, nor do files that earlier releases have stored.
   */
  readonly storedBytes?: number | undefined
}

/** The limits of all owners, or a function that gives those of one owner. */
export type Limits = OwnerLimits | ((owner: string) => OwnerLimits | Promise<OwnerLimits>)

/** Gives the limits of an owner. Rejects when the app's function has not given any. */
export type LimitsOf = (owner: string) => OwnerLimits | Promise<OwnerLimits>

/** For how long the answer of the app's function counts, in milliseconds. */
const keptMs = 10_000
/** How long the app's function may take, in milliseconds. */
const limitMs = 10_000
/** Of how many owners the limits are kept. */
const maxOwners = 10_000

const table = {
  requestsPerMinute: optional(count()),
  spendUsdPerDay: optional(
    accepts<number>('a number of at least 0', (value) => Number.isFinite(value) && (value as number) >= 0),
  ),
  runningJobs: optional(count()),
  storedBytes: optional(count()),
} satisfies OptionTable<OwnerLimits>

/** Checks the option `limits`. What a function gives is checked when it is called. */
export const checkLimits: Check<Limits> = (name, value) =>
  typeof value === 'function' ? (value as LimitsOf) : checkOptions(name, value, table)

/**
 * Makes the function that gives the limits of an owner. It asks the app at most once in 10 seconds for each owner, and once
 * at a time while the app gives none.
 */
export function limitsOf(limits: Limits, clock: Clock): LimitsOf {
  if (typeof limits !== 'function') return () => limits
  const known = new LRUCache<string, { readonly limits: OwnerLimits; readonly at: number }>({
    max: maxOwners,
  })

  const asking = new Map<string, Promise<OwnerLimits>>()

  async function ask(owner: string, give: LimitsOf): Promise<OwnerLimits> {
    const given: unknown = await withinLimit(clock, limitMs, 'app’s limits', () => give(owner))
    // Left out, options count as {}; a function that forgets its return would lift all limits.
    const checked = checkOptions('createGenerationService: limits(owner)', given ?? null, table)
    known.set(owner, { limits: checked, at: clock.uptime() })
    return checked
  }

  return (owner) => {
    const kept = known.get(owner)
    if (kept && clock.uptime() - kept.at < keptMs) return kept.limits
    const answer = asking.get(owner) ?? ask(owner, limits).finally(() => asking.delete(owner))
    asking.set(owner, answer)
    return answer
  }
}
