import type { CostEntry } from '@genmount/core'
import type { Row } from './statement.ts'

/** Makes the entry of the ledger from a row of `costs`. */
export function costEntryIn(row: Row): CostEntry {
  const { key_id, provider, cost_usd, reserved_micro_usd, outputs, seconds, started_at } = row
  return {
    job: String(row['job_id']),
    owner: String(row['owner']),
    ...(key_id !== null && { keyId: String(key_id) }),
    model: String(row['model']),
    ...(provider !== null && { provider: String(provider) }),
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
