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

/** The parameters of the statement that adds up the ledger for the query. */
export function usageParameters(query: UsageQuery): Record<string, Parameter> {
  const { owner, from, to, groupBy, after, limit } = query
  const [first, end] = wholeDays(query)
  const isGroupedBy = (name: UsageGrouping) => groupBy.includes(name)
  const range = { from, to, first, end, limit }
  // Before the first row there is none, also not the one row of a query without groups, whose day is 0.
  const afterDay = after ? (after.day ?? 0) / dayMs : -1
  const [afterOwner, afterModel, afterKey] = [after?.owner ?? '', after?.model ?? '', after?.keyId ?? '']
  // A statement takes no parameter that it does not name.
  if (owner === undefined)
    return {
      ...range,
      ...(isGroupedBy('owner') && { afterOwner }),
      ...((isGroupedBy('day') || !isGroupedBy('owner')) && { afterDay }),
      ...(isGroupedBy('model') && { afterModel }),
      ...(isGroupedBy('keyId') && { afterKey }),
    }
  const groups = {
    byOwner: Number(isGroupedBy('owner')),
    byDay: Number(isGroupedBy('day')),
    byModel: Number(isGroupedBy('model')),
    byKey: Number(isGroupedBy('keyId')),
  }
  return { ...range, ...groups, owner, afterOwner, afterDay, afterModel, afterKey }
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
