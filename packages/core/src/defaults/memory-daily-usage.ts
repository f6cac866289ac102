import type { CostEntry } from '../contracts/storage/cost-entry.ts'
import type {
  UsageCounts,
  UsageGroup,
  UsageGrouping,
  UsageQuery,
  UsageRow,
} from '../contracts/storage/daily-usage.ts'
import {
  dayMs,
  dayOf,
  noUsage,
  pickedGroup,
  usageCountsOf,
  usageGroupings,
  wholeDays,
} from '../ledger/usage-counts.ts'

/** The sums of a ledger in memory, for each owner, key, model and UTC day. */
export interface MemoryDailyUsage {
  /** Counts an entry that comes into the ledger. */
  add(entry: CostEntry): void
  /** Takes back what an entry counts that leaves the ledger. */
  remove(entry: CostEntry): void
  /**
   * As documented at `JobStore.dailyUsage`.
   * @param entriesOf the owner's entries, or those of all owners, from one instant to before another
   */
  find(query: UsageQuery, entriesOf: (from: number, to: number) => Iterable<CostEntry>): UsageRow[]
}

type Sums = { -readonly [Name in keyof UsageCounts]: UsageCounts[Name] }
/** What jobs have in common, and their sums. */
interface Row {
  readonly group: UsageGroup
  readonly sums: Sums
}

export function memoryDailyUsage(): MemoryDailyUsage {
  /** The rows of each owner by their groups. */
  const rowsOf = new Map<string, Map<string, Row>>()

  function count(entry: CostEntry, sign: 1 | -1): void {
    const rows = rowsOf.get(entry.owner) ?? new Map<string, Row>()
    rowsOf.set(entry.owner, rows)
    const group = groupOf(entry)
    const row = rowIn(rows, group, usageGroupings)
    add(row.sums, usageCountsOf(entry), sign)
    if (row.sums.jobs > 0) return
    rows.delete(nameOf(group, usageGroupings))
    if (rows.size === 0) rowsOf.delete(entry.owner)
  }

  function* rowsIn(owner: string | undefined, [first, end]: readonly [number, number]): Generator<Row> {
    if (first === end) return
    const owned = owner === undefined ? rowsOf.values() : [rowsOf.get(owner) ?? new Map<string, Row>()]
    for (const rows of owned)
      for (const row of rows.values()) {
        const day = dayOf(row.group.day!)
        if (day >= first && day < end) yield row
      }
  }

  return {
    add: (entry) => count(entry, 1),
    remove: (entry) => count(entry, -1),

    find(query, entriesOf) {
      const { owner, from, to, after, limit } = query
      const groupBy = usageGroupings.filter((name) => query.groupBy.includes(name))
      const days = wholeDays(query)
      const [start, end] = days.map((day) => day * dayMs) as [number, number]
      const sums = new Map<string, Row>()
      for (const row of rowsIn(owner, days)) add(rowIn(sums, row.group, groupBy).sums, row.sums)
      for (const part of [entriesOf(from, Math.min(to, start)), entriesOf(end, to)])
        for (const entry of part) add(rowIn(sums, groupOf(entry), groupBy).sums, usageCountsOf(entry))
      return [...sums.values()]
        .filter(({ group }) => !after || inOrder(group, after) > 0)
        .toSorted((one, other) => inOrder(one.group, other.group))
        .slice(0, limit)
        .map(({ group, sums: { seconds, ...rest } }) => ({
          ...group,
          ...rest,
          seconds: Math.round(seconds * 1000) / 1000,
        }))
    },
  }
}

function groupOf({ owner, endedAt, model, keyId }: CostEntry): UsageGroup {
  return { owner, day: dayOf(endedAt) * dayMs, model, ...(keyId !== undefined && { keyId }) }
}

/** The name of a group by the parts that rows have in common. */
function nameOf(group: UsageGroup, groupBy: readonly UsageGrouping[]): string {
  const [only] = groupBy
  // JSON of a list takes longer than all else that is done for a row.
  if (groupBy.length <= 1) return only === undefined ? '' : JSON.stringify(group[only] ?? null)
  return JSON.stringify(groupBy.map((name) => group[name] ?? null))
}

/** The row of the group, which is new if there is none. */
function rowIn(rows: Map<string, Row>, group: UsageGroup, groupBy: readonly UsageGrouping[]): Row {
  const name = nameOf(group, groupBy)
  const row = rows.get(name)
  if (row) return row
  const added = { group: pickedGroup(group, groupBy), sums: { ...noUsage } }
  rows.set(name, added)
  return added
}

function add(sums: Sums, counts: UsageCounts, sign: 1 | -1 = 1): void {
  sums.jobs += sign * counts.jobs
  sums.failed += sign * counts.failed
  sums.outputs += sign * counts.outputs
  sums.seconds += sign * counts.seconds
  sums.spentMicroUsd += sign * counts.spentMicroUsd
  sums.unknownCosts += sign * counts.unknownCosts
  sums.reservedMicroUsd += sign * counts.reservedMicroUsd
}

function inOrder(a: UsageGroup, b: UsageGroup): number {
  for (const name of usageGroupings) {
    const [one = '', other = ''] = [a[name], b[name]]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
