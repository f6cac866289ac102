import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'
import {
  byInstant,
  addItem,
  first,
  itemsFrom,
  listOf,
  removeItem,
  sortedLists,
} from '../lists/sorted-list.ts'

/** Keeps the costs of the latest jobs in memory. */
export interface MemoryCostLedger {
  /** Adds an entry. An entry for the same job is replaced. */
  add(entry: CostEntry): void
  /** As documented at `JobStore.costs`. */
  find(query: CostQuery): readonly CostEntry[]
}

type Place = Pick<CostEntry, 'job' | 'endedAt'>

interface Kept extends Linked<Kept> {
  readonly entry: CostEntry
}

const byEnd = byInstant<Place>(
  ({ endedAt }) => endedAt,
  ({ job }) => job,
)

/** Makes a ledger for the latest `maxEntries` jobs. */
export function memoryCostLedger(maxEntries: number): MemoryCostLedger {
  const keptByJob = new Map<string, Kept>()
  /** In the order in which the entries came. */
  const kept: LinkedList<Kept> = {}
  /** The entries of each owner, and without a name those of all. */
  const sorted = sortedLists<CostEntry>(byEnd)

  function remove(one: Kept | undefined): void {
    if (!one) return
    const { entry } = one
    keptByJob.delete(entry.job)
    takeOut(kept, one)
    for (const owner of [undefined, entry.owner]) removeItem(sorted, entry, owner)
  }

  return {
    add(entry) {
      remove(keptByJob.get(entry.job))
      const one = { entry: Object.freeze(entry), before: undefined, after: undefined }
      keptByJob.set(entry.job, one)
      append(kept, one)
      for (const owner of [undefined, entry.owner]) addItem(sorted, entry, owner)
      if (keptByJob.size > maxEntries) remove(kept.first)
    },

    find({ owner, from, to, after, limit }) {
      const isBefore = (entry: CostEntry) =>
        entry.endedAt < from || (after !== undefined && byEnd.compare(entry, after) <= 0)
      return first(itemsFrom(listOf(sorted, owner), isBefore), limit, ({ endedAt }) => endedAt < to)
    },
  }
}
