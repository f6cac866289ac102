import { accepts, type Check, count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** How much one owner may use. An absent limit means no limit. */
export interface OwnerLimits {
  /**
   * How many requests the owner may send in a minute through the /v1 interface, of any kind: a whole number of at least
   * 1. Further requests are refused as `rate_limit_exceeded`. Links to outputs and callbacks, which carry no key, do
   * not count. Each process counts on its own, unless the plugin has a `requestCounter`.
   */
  readonly requestsPerMinute?: number | undefined
  /**
   * How much the owner's jobs may cost in 24 hours, in US dollars: at least 0. Each job reserves its price when it is stored, until
   * its real cost is known. A job that does not fit beside what is spent and reserved is refused as `insufficient_quota`, so
   * creates at the same time never exceed the limit together, in one process or in several. Only a vendor that charges
   * more than the price can make the sum exceed it. A job that ends without a known cost counts with its price, because the
   * vendor may have been paid. A model whose price is not known before its jobs have run is refused, unless `reserveUsd` of
   * the plugin says what to reserve.
   */
  readonly spendUsdPerDay?: number | undefined
  /**
   * How many unfinished jobs the owner may have, by the job store that all processes share: a whole number of at least 1.
   * Further jobs are refused as `too_many_running_jobs`. Creates at the same time never exceed the limit together, in one
   * process or in several. @default `maxRunningJobsPerOwner`, which each process counts on its own
   */
  readonly runningJobs?: number | undefined
  /**
   * How many bytes the owner's files may take in `files`, outputs of jobs and uploads together: a whole number of at least
   * 1. When the files reach the limit, further jobs are refused as `insufficient_quota`. Jobs that are under way
   * continue, so their outputs may exceed the limit. A process knows what other processes store or free at most 10
   * seconds later. An upload that does not fit is refused as `insufficient_quota`, by its announced length or by the
   * bytes that have arrived. An upload counts in all processes while it arrives, so uploads never exceed the limit. A
   * job or an upload frees its bytes when it is deleted or expires. Outputs that stay at the vendor do not count, nor
   * do files that earlier releases have stored.
   */
  readonly storedBytes?: number | undefined
}

/** The limits of all owners, or a function that gives those of one owner. */
export type Limits = OwnerLimits | ((owner: string) => OwnerLimits | Promise<OwnerLimits>)

const table = {
  requestsPerMinute: optional(count()),
  spendUsdPerDay: optional(
    accepts<number>('a number of at least 0', (value) => Number.isFinite(value) && (value as number) >= 0),
  ),
  runningJobs: optional(count()),
  storedBytes: optional(count()),
} satisfies OptionTable<OwnerLimits>

/** Checks the limits of one owner. */
export const checkOwnerLimits: Check<OwnerLimits> = (name, value) => checkOptions(name, value, table)

/** Checks the limits of the plugin `limits`. The result of a function is checked when the function is called. */
export const checkLimits: Check<Limits> = (name, value) =>
  typeof value === 'function' ? (value as Exclude<Limits, OwnerLimits>) : checkOwnerLimits(name, value)
