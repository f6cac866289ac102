import type { CostEntry } from '../contracts/storage/cost-entry.ts'
import type { UsageCounts, UsageGroup, UsageGrouping, UsageQuery } from '../contracts/storage/daily-usage.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'

/** The length of a UTC day, in milliseconds. */
export const dayMs = 24 * 60 * 60_000

/** The UTC day of an instant, as the number of days since the Unix epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs)
}

/** Whether a value is the first instant of a UTC day, as `day` of a group is. */
export function isDayBegin(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) % dayMs === 0
}

/**
 * Which UTC days lie wholly in the time of a query. A store takes the sums of these days, and adds up the entries of the
 * ledger before the first of them and after the last.
 * @returns the number of the first day, and that of the day after the last one. The same number twice when there is none
 */
export function wholeDays({ from, to }: Pick<UsageQuery, 'from' | 'to'>): readonly [number, number] {
  const first = Math.ceil(from / dayMs)
  return [first, Math.max(first, dayOf(to))]
}

/** What entries can be grouped by, in the order by which rows are sorted. */
export const usageGroupings: readonly UsageGrouping[] = ['owner', 'day', 'model', 'keyId']

/** The parts of a group that a query groups by. What the jobs of the group do not have stays absent. */
export function pickedGroup(group: UsageGroup, groupBy: readonly UsageGrouping[]): UsageGroup {
  const names = usageGroupings.filter((name) => groupBy.includes(name) && group[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, group[name]]))
}

/** The sums of no jobs. */
export const noUsage: UsageCounts = {
  jobs: 0,
  failed: 0,
  outputs: 0,
  seconds: 0,
  spentMicroUsd: 0,
  unknownCosts: 0,
  reservedMicroUsd: 0,
}

/** What one entry of the ledger counts in the sums of its day, for stores that have `dailyUsage`. */
export function usageCountsOf(entry: CostEntry): UsageCounts {
  const { outcome, outputs = 0, seconds = 0, costUsd, reservedUsd = 0 } = entry
  return {
    jobs: 1,
    failed: outcome === 'failed' ? 1 : 0,
    outputs,
    seconds,
    spentMicroUsd: costUsd === undefined ? 0 : microUsdOf(costUsd),
    unknownCosts: costUsd === undefined ? 1 : 0,
    reservedMicroUsd: microUsdOf(reservedUsd),
  }
}
