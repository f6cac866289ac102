import type { AuditEntry, AuditQuery } from '../contracts/storage/audit-entry.ts'
import { byInstant, first } from '../lists/sorted-list.ts'

/** Keeps the last entries of an audit log in memory. */
export interface MemoryAuditLog {
  /** As documented at `JobStore.audit`. The earliest written entry is dropped when there are too many. */
  add(entry: AuditEntry): void
  /** As documented at `JobStore.auditEntries`. */
  find(query: AuditQuery): readonly AuditEntry[]
}

/** The most entries. Each read sorts all of them. */
const maxEntries = 10_000

const byEntry = byInstant<Pick<AuditEntry, 'id' | 'at'>>(
  ({ at }) => at,
  ({ id }) => id,
)

export function memoryAuditLog(): MemoryAuditLog {
  const entries = new Map<string, AuditEntry>()
  return {
    add(entry) {
      entries.set(entry.id, Object.freeze({ ...entry }))
      for (const id of first(entries.keys(), entries.size - maxEntries)) entries.delete(id)
    },
    find({ job, after, limit }) {
      const isWanted = (entry: AuditEntry) =>
        (job === undefined || entry.job === job) && (!after || byEntry.compare(entry, after) < 0)
      return first([...entries.values()].filter(isWanted).toSorted(byEntry.compare).toReversed(), limit)
    },
  }
}
