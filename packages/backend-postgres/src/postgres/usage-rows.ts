import { dayMs, type UsageGrouping, type UsageQuery, type UsageRow, wholeDays } from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'

/** The parameters of the statements that add up the ledger, without the owner. */
export function usageParameters(query: UsageQuery): unknown[] {
  const { from, to, groupBy, after, limit } = query
  const groupings: readonly UsageGrouping[] = ['owner', 'day', 'model', 'keyId']
  return [
    from,
    to,
    ...wholeDays(query),
    ...groupings.map((name) => groupBy.includes(name)),
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
  const keyId = text('key_id')
  return {
    ...(groupBy.includes('owner') && { owner: text('owner') }),
    ...(groupBy.includes('day') && { day: Number(row['day']) * dayMs }),
    ...(groupBy.includes('model') && { model: text('model') }),
    ...(groupBy.includes('keyId') && keyId !== '' && { keyId }),
    jobs: Number(row['jobs']),
    failed: Number(row['failed']),
    outputs: Number(row['outputs']),
    seconds: Number(row['output_ms']) / 1000,
    spentMicroUsd: Number(row['spent_micro_usd']),
    unknownCosts: Number(row['unknown_costs']),
    reservedMicroUsd: Number(row['reserved_micro_usd']),
  }
}
