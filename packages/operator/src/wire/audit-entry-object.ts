import { type AuditEntry, instantText } from '@genmount/core'

/** An entry of the audit log. */
export function auditEntryObject({ id, at, by, action, why, job, owner, outcome }: AuditEntry) {
  return {
    object: 'audit_entry',
    id,
    at: instantText(at),
    by,
    action,
    why,
    job: job ?? null,
    owner: owner ?? null,
    outcome: outcome ?? null,
  }
}
