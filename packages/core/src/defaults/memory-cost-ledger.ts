import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import type { SpendingSpan, SpendingSums } from '../contracts/job-store.ts'
import type { UsageQuery, UsageRow } from '../contracts/daily-usage.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'
import {
  byInstant,
  addItem,
  first,
  itemsFrom,
  listOf,
  removeItem,
  sortedLists,
  sumFrom,
} from '../lists/sorted-list.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import { memoryDailyUsage } from './memory-daily-usage.ts'

/** Keeps the costs of the latest jobs in memory. */
export interface MemoryCostLedger {
  /** Adds an entry. An entry for the same job is replaced. */
  add(entry: CostEntry): void
  /** As documented at `JobStore.costs`. */
  find(query: CostQuery): readonly CostEntry[]
  /** The sums of the entries, as documented at `JobStore.spending`. */
  spending(owner: string, span: SpendingSpan): SpendingSums
  /** As documented at `JobStore.dailyUsage`. */
  dailyUsage(query: UsageQuery): readonly UsageRow[]
}

type Place = Pick<CostEntry, 'job' | 'endedAt'>

interface Kept extends Linked<Kept> {
  readonly entry: CostEntry
}

const byEnd = byInstant<Place & { readonly costUsd?: number }>(
  ({ endedAt }) => endedAt,
  ({ job }) => job,
  ({ costUsd = 0 }) => microUsdOf(costUsd),
)
const byEndOfUnknown = byInstant<CostEntry>(
  ({ endedAt }) => endedAt,
  ({ job }) => job,
  ({ reservedUsd = 0 }) => microUsdOf(reservedUsd),
)

/** Makes a ledger for the latest `maxEntries` jobs. */
export function memoryCostLedger(maxEntries: number): MemoryCostLedger {
  const keptByJob = new Map<string, Kept>()
  /** In the order in which the entries came. */
  const kept: LinkedList<Kept> = {}
  /** The entries of each owner, and without a name those of all. */
  const sorted = sortedLists<CostEntry>(byEnd)
  /** The entries of each owner with something reserved. */
  const unknown = sortedLists<CostEntry>(byEndOfUnknown)
  const daily = memoryDailyUsage()

  function remove(one: Kept | undefined): void {
    if (!one) return
    const { entry } = one
    keptByJob.delete(entry.job)
    takeOut(kept, one)
    daily.remove(entry)
    for (const owner of [undefined, entry.owner]) removeItem(sorted, entry, owner)
    if (entry.reservedUsd !== undefined) removeItem(unknown, entry, entry.owner)
  }

  return {
    add(entry) {
      remove(keptByJob.get(entry.job))
      const one = { entry: Object.freeze(entry), before: undefined, after: undefined }
      keptByJob.set(entry.job, one)
      append(kept, one)
      daily.add(entry)
      for (const owner of [undefined, entry.owner]) addItem(sorted, entry, owner)
      if (entry.reservedUsd !== undefined) addItem(unknown, entry, entry.owner)
      if (keptByJob.size > maxEntries) remove(kept.first)
    },

    find({ owner, from, to, after, limit }) {
      const isBefore = (entry: CostEntry) =>
        entry.endedAt < from || (after !== undefined && byEnd.compare(entry, after) <= 0)
      return first(itemsFrom(listOf(sorted, owner), isBefore), limit, ({ endedAt }) => endedAt < to)
    },

    spending: (owner, { from, costsFrom }) => ({
      spentMicroUsd: sumFrom(sorted, ({ endedAt }) => endedAt < costsFrom, owner),
      reservedMicroUsd: sumFrom(unknown, ({ endedAt }) => endedAt < from, owner),
    }),

    dailyUsage: (query) =>
      daily.find(query, (from, to) => {
        const entries = itemsFrom(listOf(sorted, query.owner), ({ endedAt }) => endedAt < from)
        return first(entries, Infinity, ({ endedAt }) => endedAt < to)
      }),
  }
}
