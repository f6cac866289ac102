import type { AllJobsQuery, AuditEntry, AuditQuery } from '@genmount/core'
import type { Row } from './statement.ts'

/** A text that comes after every id. */
export const lastText = '\u{10ffff}'

/** The names of the statements that list jobs of all owners, by the state of the jobs. */
export const pageStatements = {
  all: 'all',
  unfinished: 'allUnfinished',
  completed: 'allCompleted',
  failed: 'allFailed',
  owing: 'allOwing',
} as const satisfies Record<NonNullable<AllJobsQuery['state']> | 'all', string>

/** The parameters of these statements. */
export function pageIn({ from = '', before = lastText, limit, maxLength }: AllJobsQuery) {
  return { from, before, limit, maxLength }
}

/** The parameters of the statements that read the audit log. Without a job, only those of the statement for all entries. */
export function auditRangeIn({ job, after, limit }: AuditQuery) {
  return {
    beforeInstant: after?.at ?? Number.MAX_SAFE_INTEGER,
    beforeId: after?.id ?? '',
    limit,
    ...(job !== undefined && { job }),
  }
}

/** Makes an entry from a row of `audit`. */
export function auditEntryIn({ entry }: Row): AuditEntry {
  return JSON.parse(String(entry)) as AuditEntry
}
