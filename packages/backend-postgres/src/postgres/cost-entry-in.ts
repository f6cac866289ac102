import { type CostEntry, microUsdOf } from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'

/** Makes the entry of the ledger from a row of `costs`. */
export function costEntryIn(row: Readonly<Record<string, unknown>>): CostEntry {
  const { key_id, provider, cost_usd, reserved_micro_usd, outputs, seconds, started_at } = row
  return {
    job: textInColumn(String(row['job_id'])),
    owner: textInColumn(String(row['owner'])),
    ...(key_id !== null && { keyId: textInColumn(String(key_id)) }),
    model: textInColumn(String(row['model'])),
    ...(provider !== null && { provider: textInColumn(String(provider)) }),
    outcome: row['outcome'] === 'completed' ? 'completed' : 'failed',
    ...(cost_usd !== null && { costUsd: Number(cost_usd) }),
    ...(reserved_micro_usd !== null && { reservedUsd: Number(reserved_micro_usd) / 1e6 }),
    ...(outputs !== null && { outputs: Number(outputs) }),
    ...(seconds !== null && { seconds: Number(seconds) }),
    createdAt: Number(row['created_at']),
    ...(started_at !== null && { startedAt: Number(started_at) }),
    endedAt: Number(row['ended_at']),
  }
}

/** The values of the columns of `costs` for the entry, without the job's id, in the order of the statement. */
export function costColumns(entry: CostEntry | undefined): unknown[] {
  if (!entry) return Array.from({ length: 12 }, () => null)
  const { owner, model, provider, outcome, costUsd, reservedUsd, outputs, keyId, seconds } = entry
  const { createdAt, startedAt, endedAt } = entry
  const named = provider === undefined ? null : columnText(provider)
  return [
    columnText(owner),
    columnText(model),
    named,
    outcome,
    costUsd ?? null,
    createdAt,
    startedAt ?? null,
    endedAt,
    outputs ?? null,
    reservedUsd === undefined ? null : microUsdOf(reservedUsd),
    keyId === undefined ? null : columnText(keyId),
    seconds ?? null,
  ]
}
