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

/** The parameters of the statements that add up the ledger, without the owner. */
export function usageParameters(query: UsageQuery): Record<string, Parameter> {
  const { from, to, groupBy, after, limit } = query
  const [first, end] = wholeDays(query)
  const isGroupedBy = (name: UsageGrouping) => Number(groupBy.includes(name))
  return {
    from,
    to,
    first,
    end,
    byOwner: isGroupedBy('owner'),
    byDay: isGroupedBy('day'),
    byModel: isGroupedBy('model'),
    byKey: isGroupedBy('keyId'),
    afterOwner: after?.owner ?? '',
    // Before the first row there is none, also not the one row of a query without groups, whose day is 0.
    afterDay: after ? (after.day ?? 0) / dayMs : -1,
    afterModel: after?.model ?? '',
    afterKey: after?.keyId ?? '',
    limit,
  }
}

/** Makes a row of sums from a row of the statements that add up the ledger. */
export function usageRowIn(row: Row, groupBy: readonly UsageGrouping[]): UsageRow {
  const [owner, model, keyId] = [row['owner'], row['model'], row['key_id']].map(String) as [
    string,
    string,
    string,
  ]
  const group = { owner, day: numberIn(row, 'day') * dayMs, model, ...(keyId !== '' && { keyId }) }
  return {
    ...pickedGroup(group, groupBy),
    jobs: numberIn(row, 'jobs'),
    failed: numberIn(row, 'failed'),
    outputs: numberIn(row, 'outputs'),
    seconds: numberIn(row, 'output_ms') / 1000,
    spentMicroUsd: numberIn(row, 'spent_micro_usd'),
    unknownCosts: numberIn(row, 'unknown_costs'),
    reservedMicroUsd: numberIn(row, 'reserved_micro_usd'),
  }
}
