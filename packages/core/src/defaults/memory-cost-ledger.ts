import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import type { SpendingSpan, SpendingSums } from '../contracts/job-store.ts'
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
import { spenderName, spendersOf } from './spender-name.ts'

/** Keeps the costs of the latest jobs in memory. */
export interface MemoryCostLedger {
  /** Adds an entry. An entry for the same job is replaced. */
  add(entry: CostEntry): void
  /** As documented at `JobStore.costs`. */
  find(query: CostQuery): readonly CostEntry[]
  /** The sums of the entries, as documented at `JobStore.spending`. */
  spending(owner: string, span: SpendingSpan): Pick<SpendingSums, 'reservedMicroUsd' | 'spentMicroUsd'>
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
  /** The entries of each owner and key, and without a name those of all. */
  const sorted = sortedLists<CostEntry>(byEnd)
  /** The entries of each owner and key with something reserved. */
  const unknown = sortedLists<CostEntry>(byEndOfUnknown)

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
    takeOut(kept, one)
    put(entry, removeItem)
  }

  return {
    add(entry) {
      remove(keptByJob.get(entry.job))
      const one = { entry: Object.freeze(entry), before: undefined, after: undefined }
      keptByJob.set(entry.job, one)
      append(kept, one)
      put(entry, addItem)
      if (keptByJob.size > maxEntries) remove(kept.first)
    },

    find({ owner, from, to, after, limit }) {
      const isBefore = (entry: CostEntry) =>
        entry.endedAt < from || (after !== undefined && byEnd.compare(entry, after) <= 0)
      const name = owner === undefined ? undefined : spenderName(owner)
      return first(itemsFrom(listOf(sorted, name), isBefore), limit, ({ endedAt }) => endedAt < to)
    },

    spending(owner, { from, costsFrom, keyId }) {
      const name = spenderName(owner, keyId)
      return {
        spentMicroUsd: sumFrom(sorted, ({ endedAt }) => endedAt < costsFrom, name),
        reservedMicroUsd: sumFrom(unknown, ({ endedAt }) => endedAt < from, name),
      }
    },
  }
}
