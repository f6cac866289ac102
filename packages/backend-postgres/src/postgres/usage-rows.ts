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
import { placeOf } from './usage-statements.ts'

/** The parameters of the statement that adds up the ledger for the query. */
export function usageParameters(query: UsageQuery): unknown[] {
  const { owner, from, to, groupBy, after, limit } = query
  const range = [from, to, ...wholeDays(query)]
  const place = {
    owner: columnText(after?.owner ?? ''),
    // Before the first row there is none, also not the one row of a query without groups, whose day is 0.
    day: after ? (after.day ?? 0) / dayMs : -1,
    model: columnText(after?.model ?? ''),
    keyId: columnText(after?.keyId ?? ''),
  }
  const isGroupedBy = (name: UsageGrouping) => groupBy.includes(name)
  if (owner !== undefined) {
    const { owner: afterOwner, day, model, keyId } = place
    return [
      ...range,
      ...usageGroupings.map(isGroupedBy),
      afterOwner,
      day,
      model,
      keyId,
      limit,
      columnText(owner),
    ]
  }
  return [...range, limit, ...placeOf(groupBy).map((name) => place[name])]
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
