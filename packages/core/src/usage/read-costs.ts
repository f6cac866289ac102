import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { accepts, count, instant, optional, text } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** Selects entries of the ledger. Instants are milliseconds since the Unix epoch. */
export interface CostRequest extends Omit<CostQuery, 'limit'> {
  /** The most entries on one page: a whole number from 1 to 1000. @default 100 */
  readonly limit?: number | undefined
}

/** One page of an owner's costs. */
export interface CostPage {
  /** One entry for each job that ended from `from` to before `to`, the earliest end first. */
  readonly entries: readonly CostEntry[]
  /** The `after` of the next page. Absent when this page is the last one. */
  readonly next?: CostQuery['after']
}

/** The options of everything that reads the ledger. */
const rangeTable = {
  owner: optional(text('the name of an owner')),
  from: instant,
  to: instant,
}

const table = {
  ...rangeTable,
  after: optional(accepts<NonNullable<CostRequest['after']>>('`next` of the page before', isPlace)),
  limit: optional(count(1, 1000), 100),
} satisfies OptionTable<CostRequest>

/** The part of a job store that is the ledger. */
type Ledger = Required<Pick<JobStore, 'costs'>>

/** Reads one page of the ledger, as documented at `UsageMethods.costs`. */
export async function readCosts(ledger: Ledger, request: CostRequest): Promise<CostPage> {
  const { limit, ...range } = checkRange('costs', checkOptions('costs', request, table))
  const page = await ledger.costs({ ...range, limit: limit + 1 })
  const entries = page.slice(0, limit)
  const last = entries.at(-1)
  return { entries, ...(page.length > limit && last && { next: placeOf(last) }) }
}

/**
 * Refuses instants in the wrong order, because a bill for such a time would be 0 dollars.
 * @param method the method of the service, for the message
 */
function checkRange<Range extends { readonly from: number; readonly to: number }>(
  method: string,
  range: Range,
): Range {
  if (range.from > range.to) throw new TypeError(`${method}: from must not be later than to.`)
  return range
}

function placeOf({ job, endedAt }: CostEntry): Pick<CostEntry, 'job' | 'endedAt'> {
  return { job, endedAt }
}

function isPlace(value: unknown): boolean {
  const { job, endedAt } = (value ?? {}) as Partial<CostEntry>
  return typeof job === 'string' && Number.isFinite(endedAt)
}

/** Selects the jobs whose costs are added up. Instants are milliseconds since the Unix epoch. */
export interface UsageRequest {
  /** The owner of the jobs. @default the jobs of all owners */
  readonly owner?: string | undefined
  /** Jobs that ended at this instant or later. */
  readonly from: number
  /** Jobs that ended before this instant. */
  readonly to: number
}

/** Sums over jobs that have ended. */
export interface UsageSums {
  /** How many jobs ended. */
  readonly jobs: number
  /** How many of these jobs failed. */
  readonly failed: number
  /** How many outputs the jobs have. */
  readonly outputs: number
  /** What the jobs have cost, in US dollars, rounded to a millionth. Unknown costs are not included. */
  readonly costUsd: number
  /** How many of these jobs have an unknown cost. */
  readonly unknownCosts: number
}

/** What `usage` of the service returns. */
export interface ServiceUsage extends UsageSums {
  /** The sums for each model with jobs that ended, by the id of the model. */
  readonly models: Readonly<Record<string, UsageSums>>
}

type Sums = { -readonly [Name in keyof UsageSums]: UsageSums[Name] }

/** Adds up the ledger, as documented at `UsageMethods.usage`. */
export async function readUsage(ledger: Ledger, request: UsageRequest): Promise<ServiceUsage> {
  const range = checkRange('usage', checkOptions('usage', request, rangeTable))
  const all = noSums()
  const byModel = new Map<string, Sums>()
  let after: CostRequest['after']
  do {
    const { entries, next } = await readCosts(ledger, { ...range, after, limit: 1000 })
    for (const entry of entries) {
      const ofModel = byModel.get(entry.model) ?? noSums()
      byModel.set(entry.model, ofModel)
      add(ofModel, entry)
      add(all, entry)
    }
    after = next
  } while (after)
  const models = [...byModel].map(([model, sums]) => [model, rounded(sums)] as const)
  return { ...rounded(all), models: Object.fromEntries(models) }
}

function noSums(): Sums {
  return { jobs: 0, failed: 0, outputs: 0, costUsd: 0, unknownCosts: 0 }
}

function add(sums: Sums, { outcome, outputs = 0, costUsd }: CostEntry): void {
  sums.jobs++
  sums.outputs += outputs
  if (outcome === 'failed') sums.failed++
  if (costUsd === undefined) sums.unknownCosts++
  else sums.costUsd += costUsd
}

/** Rounds to a millionth, because sums of binary fractions are not exact. */
function rounded(sums: Sums): UsageSums {
  return { ...sums, costUsd: Math.round(sums.costUsd * 1e6) / 1e6 }
}
