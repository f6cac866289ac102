import type { CostEntry, CostQuery } from '../contracts/storage/cost-entry.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { accepts, count, instant, isInstant, optional, text } from '../errors/check-option.ts'
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
export const rangeTable = {
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
export function checkRange<Range extends { readonly from: number; readonly to: number }>(
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
  return typeof job === 'string' && isInstant(endedAt)
}
