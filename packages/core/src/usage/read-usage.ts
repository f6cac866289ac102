import type { UsageCounts, UsageGroup, UsageGrouping } from '../contracts/storage/daily-usage.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { accepts, choice, count, listOf, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { isDayBegin, noUsage, pickedGroup, usageGroupings } from '../ledger/usage-counts.ts'
import { checkRange, rangeTable } from './read-costs.ts'

/** Selects the jobs whose costs are added up. Instants are milliseconds since the Unix epoch. */
export interface UsageRequest {
  /** The owner of the jobs. @default the jobs of all owners */
  readonly owner?: string | undefined
  /** Jobs that ended at this instant or later. */
  readonly from: number
  /** Jobs that ended before this instant. */
  readonly to: number
  /** What the jobs of each of `groups` have in common. @default `['model']` */
  readonly groupBy?: readonly UsageGrouping[] | undefined
  /** The `next` of the page before. @default the first page */
  readonly after?: UsageGroup | undefined
  /** The most groups on one page: a whole number from 1 to 1000. @default 1000 */
  readonly limit?: number | undefined
}

/** Sums over jobs that have ended. */
export interface UsageSums {
  /** How many jobs ended. */
  readonly jobs: number
  /** How many of these jobs failed. */
  readonly failed: number
  /** How many outputs the jobs have. */
  readonly outputs: number
  /** How many seconds of output completed jobs were ordered to make, of models whose price is by the second. */
  readonly seconds: number
  /** What the jobs have cost, in US dollars, exact to a millionth. Unknown costs are not included. */
  readonly costUsd: number
  /** How many of these jobs have an unknown cost. */
  readonly unknownCosts: number
  /** What the jobs with an unknown cost count in budgets, in US dollars. */
  readonly reservedUsd: number
}

/** The sums of the jobs of a group. */
export interface UsageGroupSums extends UsageGroup, UsageSums {}

/** What `usage` of the service returns. */
export interface ServiceUsage extends UsageSums {
  /** The sums of each group in which jobs ended, by owner, day, model and key. */
  readonly groups: readonly UsageGroupSums[]
  /** The `after` of the next page of groups. Absent when this page is the last one. */
  readonly next?: UsageGroup
}

/** The part of a job store that adds the ledger up. */
export type Sums = Required<Pick<JobStore, 'dailyUsage'>>

const isGroup = (value: unknown) => {
  if (typeof value !== 'object' || value === null) return false
  const { owner = '', day = 0, model = '', keyId = '' } = value as Readonly<Record<string, unknown>>
  return isDayBegin(day) && [owner, model, keyId].every((text) => typeof text === 'string')
}

const table = {
  ...rangeTable,
  groupBy: optional(listOf("a list of 'owner', 'day', 'model' and 'keyId'", choice(...usageGroupings)), [
    'model',
  ]),
  after: optional(accepts<UsageGroup>('`next` of the page before', isGroup)),
  limit: optional(count(1, 1000), 1000),
} satisfies OptionTable<UsageRequest>

/** Adds up the ledger, as documented at `UsageMethods.usage`. */
export async function readUsage({ dailyUsage }: Sums, request: UsageRequest): Promise<ServiceUsage> {
  const { groupBy, after, limit, ...range } = checkRange('usage', checkOptions('usage', request, table))
  const rows = await dailyUsage({ ...range, groupBy, after, limit: limit + 1 })
  const groups = rows.slice(0, limit)
  // One page with all groups has the sums of everything in it.
  const isWhole = after === undefined && rows.length <= limit
  const totals = isWhole ? rows : await dailyUsage({ ...range, groupBy: [], limit: 1 })
  const last = groups.at(-1)
  return {
    ...sumsOf(together(totals)),
    groups: groups.map((row) => ({ ...pickedGroup(row, groupBy), ...sumsOf(row) })),
    ...(rows.length > limit && last && { next: pickedGroup(last, groupBy) }),
  }
}

/** The sums of all rows. */
function together(rows: readonly UsageCounts[]): UsageCounts {
  const sums: { -readonly [Name in keyof UsageCounts]: number } = { ...noUsage }
  for (const name of Object.keys(sums) as (keyof UsageCounts)[])
    sums[name] = rows.reduce((sum, row) => sum + row[name], 0)
  return { ...sums, seconds: Math.round(sums.seconds * 1000) / 1000 }
}

function sumsOf(row: UsageCounts): UsageSums {
  const { jobs, failed, outputs, seconds, spentMicroUsd, unknownCosts, reservedMicroUsd } = row
  const usd = { costUsd: spentMicroUsd / 1e6, reservedUsd: reservedMicroUsd / 1e6 }
  return { jobs, failed, outputs, seconds, unknownCosts, ...usd }
}
