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
import { placesBefore, placesIn, usageName } from './usage-statements.ts'

/** The name of the statement that adds up the ledger for the query, and its parameters. */
export function usageCall(query: UsageQuery) {
  const { owner, from, to, after, limit } = query
  const [first, end] = wholeDays(query)
  const places = placesIn(query.groupBy)
  const begin = [
    after?.owner ?? '',
    after ? (after.day ?? 0) / dayMs : -1,
    after?.model ?? '',
    after?.keyId ?? '',
  ]
  const parameters: Record<string, Parameter> = { from, to, first, end, limit }
  if (owner !== undefined) parameters['owner'] = owner
  for (const place of placesBefore(places)) parameters[`after${place}`] = begin[place]!
  return { name: usageName(owner, places), parameters }
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
