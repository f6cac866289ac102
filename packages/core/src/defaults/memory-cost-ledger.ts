import type { CostEntry, CostQuery } from '../contracts/storage/cost-entry.ts'
import type { SpendingSpan, SpendingSums } from '../contracts/storage/job-store.ts'
import type { UsageQuery, UsageRow } from '../contracts/storage/daily-usage.ts'
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
import { spenderName, spendersOf } from './spender-name.ts'

/** Keeps the costs of the latest jobs in memory. */
export interface MemoryCostLedger {
  /** Adds an entry. An entry for the same job is replaced. */
  add(entry: CostEntry): void
  /** As documented at `JobStore.costs`. */
  find(query: CostQuery): readonly CostEntry[]
  /** The sums of the entries, as documented at `JobStore.spending`. */
  spending(owner: string, span: SpendingSpan): Pick<SpendingSums, 'reservedMicroUsd' | 'spentMicroUsd'>
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

/** Makes a ledger for the latest `maxEntries` jobs. @param onDrop called with each entry that leaves it to make room */
export function memoryCostLedger(maxEntries: number, onDrop: (entry: CostEntry) => void): MemoryCostLedger {
  const keptByJob = new Map<string, Kept>()
  /** In the order in which the entries came. */
  const oldestFirst: LinkedList<Kept> = {}
  /** The entries of each owner and key, and without a name those of all. */
  const sorted = sortedLists<CostEntry>(byEnd)
  /** The entries of each owner and key with something reserved. */
  const unknown = sortedLists<CostEntry>(byEndOfUnknown)
  const daily = memoryDailyUsage()

  function put(entry: CostEntry, change: typeof addItem): void {
    change(sorted, entry)
    for (const name of spendersOf(entry)) {
      change(sorted, entry, name)
      if (entry.reservedUsd !== undefined) change(unknown, entry, name)
    }
  }

  function remove(one: Kept | undefined): void {
    if (!one) return
    const { entry } = one
    keptByJob.delete(entry.job)
    takeOut(oldestFirst, one)
    put(entry, removeItem)
    daily.remove(entry)
  }

  return {
    add(entry) {
      remove(keptByJob.get(entry.job))
      const one = { entry: Object.freeze(entry), before: undefined, after: undefined }
      keptByJob.set(entry.job, one)
      append(oldestFirst, one)
      put(entry, addItem)
      daily.add(entry)
      if (keptByJob.size <= maxEntries || !oldestFirst.first) return
      onDrop(oldestFirst.first.entry)
      remove(oldestFirst.first)
    },

    find({ owner, from, to, after, limit }) {
      const isBefore = (entry: CostEntry) =>
        entry.endedAt < from || (after !== undefined && byEnd.compare(entry, after) <= 0)
      return first(itemsFrom(listOf(sorted, nameOf(owner)), isBefore), limit, ({ endedAt }) => endedAt < to)
    },

    spending(owner, { from, costsFrom, keyId }) {
      const name = spenderName(owner, keyId)
      return {
        spentMicroUsd: sumFrom(sorted, ({ endedAt }) => endedAt < costsFrom, name),
        reservedMicroUsd: sumFrom(unknown, ({ endedAt }) => endedAt < from, name),
      }
    },

    dailyUsage: (query) =>
      daily.find(query, (from, to) => {
        const entries = itemsFrom(listOf(sorted, nameOf(query.owner)), ({ endedAt }) => endedAt < from)
        return first(entries, Infinity, ({ endedAt }) => endedAt < to)
      }),
  }
}

/** The name of a list of an owner's entries, or of those of all owners. */
function nameOf(owner: string | undefined): string | undefined {
  return owner === undefined ? undefined : spenderName(owner)
}
