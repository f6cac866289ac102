import { claimant } from './job-statements.ts'
import type { Statement } from './statement.ts'

const queries = {
  // How many of the jobs that have been due for longest are looked at does not grow with their number.
  nextDue: `
    SELECT min(at) AS at FROM (
      SELECT max(due_at, ifnull(claimed_until, 0)) AS at FROM jobs WHERE due_at >= 0 ORDER BY due_at LIMIT 100
    ) WHERE at > :after`,
  nextExpiry: `
    SELECT min(at) AS at FROM (
      SELECT min(ifnull(delete_at, expires_at)) AS at FROM jobs WHERE phase IN ('completed', 'failed')
      UNION ALL SELECT min(expires_at) FROM uploads
    )`,
  leftByOthers: `
    SELECT id FROM jobs
    WHERE due_at IS NOT NULL AND claimed_until > :now AND claimed_until <= :farAhead AND ${claimant} <> :process
    LIMIT :limit`,
}

/** The statements of a host that one alarm wakes and that has no other processes beside it, by name. */
export type AlarmStatements = Readonly<Record<'nextDue' | 'nextExpiry' | 'leftByOthers', Statement>>

/** Prepares the statements. The tables must be there. */
export function alarmStatements(database: { prepare(sql: string): Statement }): AlarmStatements {
  const { nextDue, nextExpiry, leftByOthers } = queries
  return {
    nextDue: database.prepare(nextDue),
    nextExpiry: database.prepare(nextExpiry),
    leftByOthers: database.prepare(leftByOthers),
  }
}
