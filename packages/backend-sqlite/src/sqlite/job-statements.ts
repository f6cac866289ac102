import type { DatabaseSync, StatementSync } from 'node:sqlite'

const isFinished = "phase IN ('completed', 'failed')"
const isUnfinished = "phase NOT IN ('completed', 'failed')"

const queries = {
  insert: `
    INSERT INTO jobs (phase, revision, due_at, claimed_until, expires_at, job, id, owner, idempotency_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
  replace: `
    UPDATE jobs SET phase = ?, revision = ?, due_at = ?, claimed_until = ?, expires_at = ?, job = ?
    WHERE id = ? AND revision = ?`,
  delete: 'DELETE FROM jobs WHERE id = ?',
  get: 'SELECT job FROM jobs WHERE id = ?',
  holderOfKey: 'SELECT job FROM jobs WHERE idempotency_key = ? AND expires_at > ?',
  freeExpiredKey: 'UPDATE jobs SET idempotency_key = NULL WHERE idempotency_key = ? AND expires_at <= ?',
  due: `
    SELECT id FROM jobs WHERE ${isUnfinished} AND due_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)
    ORDER BY due_at LIMIT ?`,
  expired: `SELECT job FROM jobs WHERE ${isFinished} AND expires_at <= ? LIMIT ?`,
}

export type JobStatements = Readonly<Record<keyof typeof queries, StatementSync>>

export function jobStatements(database: DatabaseSync): JobStatements {
  const prepared = Object.entries(queries).map(([name, sql]) => [name, database.prepare(sql)])
  return Object.fromEntries(prepared) as JobStatements
}
