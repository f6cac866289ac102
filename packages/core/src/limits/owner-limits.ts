import { accepts, type Check, count, flag, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** How much the jobs of one owner, or of one key, may cost. An absent limit means no limit. */
export interface SpendingLimits {
  /**
   * How much the jobs may cost in 24 hours, in US dollars: at least 0. Each job reserves its price when it is stored, until its
   * real cost is known. A job that does not fit beside what is spent and reserved is refused as `insufficient_quota`, so
   * creates at the same time never exceed the limit together, in one process or in several. Only a vendor that charges
   * more than the price can make the sum exceed it. A job that ends without a known cost counts with its price, because the
   * vendor may have been paid. A model whose price is not known before its jobs have run is refused, unless `reserveUsd` of
   * the plugin says what to reserve.
   */
  readonly spendUsdPerDay?: number | undefined
  /**
   * The same for each month of the calendar, in the `timeZone` of the plugin. A job counts in the month in which it ends, and
   * until then in the current one.
   */
  readonly spendUsdPerMonth?: number | undefined
}

/** How much one owner may use. An absent limit means no limit. Several limits hold together. */
export interface OwnerLimits extends SpendingLimits {
  /**
   * Whether the owner has a balance, which only goes down: all jobs ever may cost what `grant` of the service has granted the
   * owner, and nothing before the first grant. Jobs reserve as for `spendUsdPerDay`. @default false
   */
  readonly balance?: boolean | undefined
  /**
   * What the jobs of the key may cost with which a job is created, beside what all jobs of the owner may cost. It counts only
   * for keys to which `authenticate` gives a `keyId`. @default keys have no limits of their own
   */
  readonly key?: SpendingLimits | undefined
  /**
   * How many requests the owner may send in a minute through the /v1 interface, of any kind: a whole number of at least
   * 1. Further requests are refused as `rate_limit_exceeded`. Links to outputs and callbacks, which carry no key, do
   * not count. Each process counts on its own, unless the plugin has a `requestCounter`.
   */
  readonly requestsPerMinute?: number | undefined
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

/**
 * The limits of all owners, or a function that gives those of one owner. It gets the id of the key too where a request has
 * one: in creates, whose `key` limits it then gives.
 */
export type Limits = OwnerLimits | ((owner: string, keyId?: string) => OwnerLimits | Promise<OwnerLimits>)

const usd = optional(
  accepts<number>('a number of at least 0', (value) => Number.isFinite(value) && (value as number) >= 0),
)

const spendingTable = {
  spendUsdPerDay: usd,
  spendUsdPerMonth: usd,
} satisfies OptionTable<SpendingLimits>

const table = {
  ...spendingTable,
  balance: optional(flag),
  key: optional((name, value) => checkOptions(name, value, spendingTable)),
  requestsPerMinute: optional(count()),
  runningJobs: optional(count()),
  storedBytes: optional(count()),
} satisfies OptionTable<OwnerLimits>

/** Checks the limits of one owner. */
export const checkOwnerLimits: Check<OwnerLimits> = (name, value) => checkOptions(name, value, table)

/** Checks the limits of the plugin `limits`. The result of a function is checked when the function is called. */
export const checkLimits: Check<Limits> = (name, value) =>
  typeof value === 'function' ? (value as Exclude<Limits, OwnerLimits>) : checkOwnerLimits(name, value)
