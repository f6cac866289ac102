import {
  dayMs,
  pickedGroup,
  type UsageGrouping,
  type UsageQuery,
  type UsageRow,
  wholeDays,
} from '@genmount/core'
import { numberIn } from './number-in.ts'
import type { Parameter, Row } from './statement.ts'
import { groupedColumns, usageName } from './usage-statements.ts'

/** The name of the statement that adds up the ledger for the query, and its parameters. */
export function usageCall({ owner, from, to, groupBy, after, limit }: UsageQuery) {
  const [first, end] = wholeDays({ from, to })
  const parameters: Record<string, Parameter> = {
    from,
    to,
    first,
    end,
    limit,
    // The first page comes after a row that is before all others, also before texts without characters.
    afterIs: after ? 0 : -1,
    afterOwner: after?.owner ?? 0,
    afterDay: (after?.day ?? 0) / dayMs,
    afterModel: after?.model ?? 0,
    // Among groups of keys, that of no key is the first.
    afterKey: after?.keyId ?? '',
    ...(owner !== undefined && { owner }),
  }
  return { name: usageName(groupedColumns(groupBy), owner === undefined), parameters }
}

/** Makes a row of sums from a row of the statement. */
export function usageRowIn(row: Row, groupBy: readonly UsageGrouping[]): UsageRow {
  const count = (name: string) => numberIn(row, name)
  const { owner, model, key_id: keyId } = row
  const group = { owner: String(owner), day: count('day') * dayMs, model: String(model) }
  return {
    // What the rows are not grouped by is 0.
    ...pickedGroup({ ...group, ...(keyId ? { keyId: String(keyId) } : {}) }, groupBy),
    jobs: count('jobs'),
    failed: count('failed'),
    outputs: count('outputs'),
    seconds: count('output_ms') / 1000,
    spentMicroUsd: count('spent_micro_usd'),
    unknownCosts: count('unknown_costs'),
    reservedMicroUsd: count('reserved_micro_usd'),
  }
}
