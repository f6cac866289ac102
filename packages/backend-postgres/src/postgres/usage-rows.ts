import {
  dayMs,
  pickedGroup,
  type UsageGrouping,
  usageGroupings,
  type UsageQuery,
  type UsageRow,
  wholeDays,
} from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'

/** The parameters of the statements that add up the ledger, without the owner. */
export function usageParameters(query: UsageQuery): unknown[] {
  const { from, to, groupBy, after, limit } = query
  return [
    from,
    to,
    ...wholeDays(query),
    ...usageGroupings.map((name) => groupBy.includes(name)),
    columnText(after?.owner ?? ''),
    // Before the first row there is none, also not the one row of a query without groups, whose day is 0.
    after ? (after.day ?? 0) / dayMs : -1,
    columnText(after?.model ?? ''),
    columnText(after?.keyId ?? ''),
    limit,
  ]
}

/** Makes a row of sums from a row of the statements that add up the ledger. */
export function usageRowIn(
  row: Readonly<Record<string, unknown>>,
  groupBy: readonly UsageGrouping[],
): UsageRow {
  const text = (name: string) => textInColumn(String(row[name]))
  const [owner, model, keyId] = ['owner', 'model', 'key_id'].map(text) as [string, string, string]
  const group = { owner, day: Number(row['day']) * dayMs, model, ...(keyId !== '' && { keyId }) }
  return {
    ...pickedGroup(group, groupBy),
    jobs: Number(row['jobs']),
    failed: Number(row['failed']),
    outputs: Number(row['outputs']),
    seconds: Number(row['output_ms']) / 1000,
    spentMicroUsd: Number(row['spent_micro_usd']),
    unknownCosts: Number(row['unknown_costs']),
    reservedMicroUsd: Number(row['reserved_micro_usd']),
  }
}
