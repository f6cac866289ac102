import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'

/** Keeps the costs of the latest jobs in memory. */
export interface MemoryCostLedger {
  /** Adds an entry. An entry for the same job is replaced. */
  add(entry: CostEntry): void
  /** As documented at `JobStore.costs`. */
  find(query: CostQuery): readonly CostEntry[]
}

/** Makes a ledger for the latest `maxEntries` jobs. */
export function memoryCostLedger(maxEntries: number): MemoryCostLedger {
  const entries = new Map<string, CostEntry>()
  return {
    add(entry) {
      entries.delete(entry.job)
      entries.set(entry.job, Object.freeze(entry))
      if (entries.size > maxEntries) for (const oldest of entries.keys()) return void entries.delete(oldest)
    },
    find({ owner, from, to, after, limit }) {
      return [...entries.values()]
        .filter(
          (entry) =>
            (owner === undefined || entry.owner === owner) && entry.endedAt >= from && entry.endedAt < to,
        )
        .filter((entry) => !after || inOrder(after, entry) < 0)
        .toSorted(inOrder)
        .slice(0, limit)
    },
  }
}

type Place = Pick<CostEntry, 'job' | 'endedAt'>

function inOrder(a: Place, b: Place): number {
  if (a.endedAt !== b.endedAt) return a.endedAt - b.endedAt
  return a.job === b.job ? 0 : a.job < b.job ? -1 : 1
}
