import type { CostEntry } from '../contracts/storage/cost-entry.ts'
import type { Grant, GrantQuery } from '../contracts/storage/job-store.ts'
import { addItem, byInstant, first, itemsFrom, listOf, sortedLists } from '../lists/sorted-list.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'

/** Keeps the grants of owners in memory. */
export interface MemoryGrants {
  /** As documented at `JobStore.grant`. */
  add(grant: Grant): Grant
  /** As documented at `JobStore.grants`. */
  find(query: GrantQuery): readonly Grant[]
  /** The sum of the owner's grants, less what has left the ledger, in millionths of a US dollar. */
  microUsdOf(owner: string): number
  /** Counts an entry that has left the ledger, in which nobody can add it up any more. */
  settle(entry: CostEntry): void
}

const byGrant = byInstant<Pick<Grant, 'id' | 'grantedAt'>>(
  ({ grantedAt }) => grantedAt,
  ({ id }) => id,
)

export function memoryGrants(): MemoryGrants {
  const grants = new Map<string, Grant>()
  /** The grants of each owner, and without a name those of all. */
  const sorted = sortedLists<Grant>(byGrant)
  const sums = new Map<string, number>()

  function add(owner: string, microUsd: number): void {
    if (microUsd !== 0) sums.set(owner, (sums.get(owner) ?? 0) + microUsd)
  }

  return {
    add(grant) {
      const earlier = grants.get(grant.id)
      if (earlier) return earlier
      const own = Object.freeze({ ...grant })
      grants.set(own.id, own)
      for (const owner of [undefined, own.owner]) addItem(sorted, own, owner)
      add(own.owner, Math.round(own.usd * 1e6))
      return own
    },
    find({ owner, after, limit }) {
      const isBefore = (grant: Grant) => after !== undefined && byGrant.compare(grant, after) <= 0
      return first(itemsFrom(listOf(sorted, owner), isBefore), limit)
    },
    microUsdOf: (owner) => sums.get(owner) ?? 0,
    settle: ({ owner, costUsd, reservedUsd = 0 }) => add(owner, -microUsdOf(costUsd ?? reservedUsd)),
  }
}
