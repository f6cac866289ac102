import type { Grant } from '@genmount/core'
import type { Row } from './statement.ts'

/** Makes a grant from a row of `grants`. */
export function grantIn(row: Row): Grant {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    usd: Number(row['micro_usd']) / 1e6,
    by: String(row['granted_by']),
    why: String(row['why']),
    grantedAt: Number(row['granted_at']),
  }
}
