import type { Grant } from '@genmount/core'
import { textInColumn } from './column-text.ts'

/** Makes a grant from a row of `grants`. */
export function grantIn(row: Readonly<Record<string, unknown>>): Grant {
  return {
    id: textInColumn(String(row['id'])),
    owner: textInColumn(String(row['owner'])),
    usd: Number(row['micro_usd']) / 1e6,
    by: textInColumn(String(row['granted_by'])),
    why: textInColumn(String(row['why'])),
    grantedAt: Number(row['granted_at']),
  }
}
