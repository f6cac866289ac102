import type { SpendingSpan } from '@genmount/core'
import { changing, inserted } from './job-columns.ts'
import type { Statement } from './statement.ts'
import { type UsageName, usageStatements } from './usage-statements.ts'

/**
 * @param hasTask the SQL that says whether this process has the task in memory: its text is then not read, and its column is NULL
 * @param hasInput the same for the input
 */
export const selectJob = (hasTask = '?', hasInput = '?') => `
  SELECT job, tasks.id AS task_row, CASE WHEN ${hasTask} THEN NULL ELSE task END AS task,
    inputs.id AS input_row, CASE WHEN ${hasInput} THEN NULL ELSE input END AS input
  FROM jobs LEFT JOIN tasks ON tasks.job_id = jobs.id LEFT JOIN inputs ON inputs.job_id = jobs.id`

const listed = `
  FROM jobs LEFT JOIN inputs ON inputs.job_id = jobs.id
  WHERE owner = :owner AND jobs.id >= :from AND jobs.id < :before ORDER BY jobs.id DESC LIMIT :limit`

/**
 * Jobs of all owners, the last id first, as many as fit into `:maxLength`. SQLite knows the length of a text in bytes without
 * reading the text.
 * @param jobs the table, and the index that has only the jobs of a state
 * @param isWanted a condition for that state
 */
export const pageOf = (jobs: string, isWanted: string) => `
  SELECT job, input FROM (
    SELECT jobs.id AS listed, row_number() OVER newest AS place,
      sum(octet_length(job) + ifnull(octet_length(input), 0)) OVER newest AS together
    FROM ${jobs} LEFT JOIN inputs ON inputs.job_id = jobs.id
    WHERE ${isWanted} AND jobs.id >= :from AND jobs.id < :before
    WINDOW newest AS (ORDER BY jobs.id DESC ROWS UNBOUNDED PRECEDING) ORDER BY jobs.id DESC LIMIT :limit
  ) JOIN jobs ON jobs.id = listed LEFT JOIN inputs ON inputs.job_id = jobs.id
  WHERE place = 1 OR together <= :maxLength ORDER BY jobs.id DESC`

const isUnfinished = "phase NOT IN ('completed', 'failed')"
const hasTask = "coalesce(job -> '$.handle.id', job -> '$.handle') = :task"

/** The SQL of the id of the process that has a job claimed, or has claimed it last. */
export const claimant = `substr(job ->> '$.claimToken', 1, instr(job ->> '$.claimToken', ':') - 1)`

const isUnclaimed = '(claimed_until IS NULL OR claimed_until <= :now OR claimed_until > :farAhead)'

/**
 * What the owner `:owner` has spent, reserved and was granted. total() adds up to a float, which holds these whole numbers
 * exactly. sum() would fail beyond 64 bits.
 * @param of the SQL of a field of the `SpendingSpan`
 */
export const spendingColumns = (of: (field: keyof SpendingSpan) => string) => {
  const isOfKey = `(${of('keyId')} IS NULL OR key_id = ${of('keyId')})`
  return `
    (SELECT total(round(min(cost_usd, 1e6) * 1e6)) FROM costs
      WHERE owner = :owner AND ended_at >= ${of('costsFrom')} AND ${isOfKey}) AS spent,
    (SELECT total(reserved_micro_usd) FROM costs
      WHERE owner = :owner AND ended_at >= ${of('from')} AND reserved_micro_usd IS NOT NULL AND ${isOfKey})
    + (SELECT total(reserved_micro_usd) FROM jobs
      WHERE owner = :owner AND reserved_micro_usd IS NOT NULL AND phase NOT IN ('completed', 'failed')
        AND ${isOfKey}) AS reserved,
    (SELECT total(micro_usd) FROM grants WHERE owner = :owner AND ${of('hasGrants')}) AS granted`
}

const queries = {
  insert: `
    INSERT INTO jobs (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})
    ON CONFLICT (idempotency_key) DO NOTHING`,
  replace: `UPDATE jobs SET ${changing.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND revision = ?`,
  delete: 'DELETE FROM jobs WHERE id = ? AND revision = ifnull(?, revision)',
  get: `${selectJob()} WHERE jobs.id = ? AND owner = ifnull(?, owner)`,
  holderOfKey: `${selectJob()} WHERE idempotency_key = ? AND expires_at > ?`,
  freeExpiredKey: 'UPDATE jobs SET idempotency_key = NULL WHERE idempotency_key = ? AND expires_at <= ?',
  due: `
    SELECT id, due_at FROM jobs WHERE due_at <= :now AND ${isUnclaimed}
    UNION ALL
    SELECT id, due_at FROM jobs WHERE due_at > :farAhead AND ${isUnclaimed}
    ORDER BY due_at LIMIT :limit OFFSET :skip`,
  expired: `${selectJob()} WHERE phase IN ('completed', 'failed') AND ifnull(delete_at, expires_at) <= ? LIMIT ?`,
  // SQLite knows the length of a text in bytes without reading the text.
  lengths: `SELECT octet_length(job) + ifnull(octet_length(input), 0) AS length ${listed}`,
  list: `SELECT job, input ${listed}`,
  all: pageOf('jobs', 'true'),
  // Their index begins with the owner. So their ids are sorted, without the rest of the jobs.
  allUnfinished: pageOf(
    'jobs',
    `jobs.id IN (
      SELECT id FROM jobs INDEXED BY jobs_unfinished WHERE ${isUnfinished} AND id >= :from AND id < :before
      ORDER BY id DESC LIMIT :limit
    )`,
  ),
  allCompleted: pageOf('jobs INDEXED BY jobs_completed', "phase = 'completed'"),
  allFailed: pageOf('jobs INDEXED BY jobs_failed', "phase = 'failed'"),
  allOwing: pageOf('jobs INDEXED BY jobs_owing', "due_at IS NOT NULL AND phase IN ('completed', 'failed')"),
  byTask: `
    SELECT id FROM jobs INDEXED BY jobs_by_task WHERE ${hasTask} AND phase IN ('completed', 'failed')
    UNION ALL SELECT id FROM jobs INDEXED BY jobs_unfinished WHERE ${hasTask} AND ${isUnfinished}
    LIMIT :limit`,
  audit: 'INSERT OR REPLACE INTO audit (id, done_at, job_id, entry) VALUES (?, ?, ?, ?)',
  auditOfJob: `
    SELECT entry FROM audit WHERE job_id = :job AND (done_at, id) < (:beforeInstant, :beforeId)
    ORDER BY done_at DESC, id DESC LIMIT :limit`,
  auditOfAll: `
    SELECT entry FROM audit WHERE (done_at, id) < (:beforeInstant, :beforeId)
    ORDER BY done_at DESC, id DESC LIMIT :limit`,
  unfinished: `SELECT id FROM jobs WHERE owner = ? AND phase NOT IN ('completed', 'failed') LIMIT ?`,
  reservedOf: 'SELECT ifnull(reserved_micro_usd, 0) AS reserved FROM jobs WHERE id = ? AND revision = ?',
  spending: `SELECT ${spendingColumns((field) => `:${field}`)}`,
  grant: `
    INSERT INTO grants (id, owner, micro_usd, granted_by, why, granted_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`,
  grantOf: 'SELECT * FROM grants WHERE id = ?',
  grants: `
    SELECT * FROM grants WHERE owner = :owner AND (granted_at, id) > (:afterInstant, :afterId)
    ORDER BY granted_at, id LIMIT :limit`,
  grantsOfAll: `
    SELECT * FROM grants WHERE (granted_at, id) > (:afterInstant, :afterId) ORDER BY granted_at, id LIMIT :limit`,
  storedBytes: `
    SELECT ifnull((
      SELECT sum(stored_bytes) FROM jobs WHERE owner = :owner AND expires_at > :now AND stored_bytes IS NOT NULL
    ), 0) + ifnull((SELECT sum(bytes) FROM uploads WHERE owner = :owner AND expires_at > :now), 0) AS bytes`,
  noteUpload: 'INSERT OR REPLACE INTO uploads (key, owner, bytes, expires_at) VALUES (?, ?, ?, ?)',
  forgetUpload: 'DELETE FROM uploads WHERE key = ?',
  forgetExpiredUploads: `
    DELETE FROM uploads WHERE key IN (SELECT key FROM uploads WHERE expires_at <= ? LIMIT 100)`,
  leftBehind: `
    SELECT id, ${claimant} AS process FROM jobs
    WHERE due_at IS NOT NULL AND claimed_until > :now AND claimed_until <= :farAhead
      AND ${claimant} IN (SELECT value FROM json_each(:gone))
    LIMIT :limit`,

  insertTask: 'INSERT INTO tasks (job_id, task) VALUES (?, ?)',
  deleteTask: 'DELETE FROM tasks WHERE job_id = ?',
  insertInput: 'INSERT INTO inputs (job_id, input) VALUES (?, ?)',
  deleteInput: 'DELETE FROM inputs WHERE job_id = ?',

  costs: `
    SELECT * FROM costs WHERE owner = :owner AND ended_at >= :from AND ended_at < :to
      AND (ended_at, job_id) > (:afterEnd, :afterJob)
    ORDER BY ended_at, job_id LIMIT :limit`,
  costsOfAll: `
    SELECT * FROM costs WHERE ended_at >= :from AND ended_at < :to
      AND (ended_at, job_id) > (:afterEnd, :afterJob)
    ORDER BY ended_at, job_id LIMIT :limit`,

  ...usageStatements,

  fileVersion: 'PRAGMA data_version',
  revisions: 'SELECT id, revision FROM jobs WHERE id IN (SELECT value FROM json_each(?))',
}

/** The SQL of a statement. */
export function sqlOf(name: keyof typeof queries): string {
  return queries[name]
}

/**
 * The statements of the job store and of what is beside it, by name.
 * @internal The names are those of a table within this file
 */
export type JobStatements<Prepared extends Statement = Statement> = Readonly<
  Record<keyof typeof queries | UsageName, Prepared>
>

/** Prepares all statements, those that add up the ledger at their first use. The tables must be there. */
export function jobStatements<Prepared extends Statement>(database: {
  prepare(sql: string): Prepared
}): JobStatements<Prepared> {
  const prepared: Record<string, Prepared> = {}
  for (const [name, sql] of Object.entries(queries)) {
    let statement = name in usageStatements ? undefined : database.prepare(sql)
    // To prepare the statement of each grouping takes 20 ms, and most processes run none of them.
    Object.defineProperty(prepared, name, {
      enumerable: true,
      get: () => (statement ??= database.prepare(sql)),
    })
  }
  return prepared as JobStatements<Prepared>
}

/** Runs statements on an open database. */
export interface StatementRunner {
  /** @returns the result of `ask`, as soon as everything that `ask` saw is on disk */
  read<Result>(ask: (statements: JobStatements) => Result): Promise<Result>
  /** @returns the result of `ask`, at once. A power cut may undo what `ask` saw, so use the result only for hints. */
  glance<Result>(ask: (statements: JobStatements) => Result): Promise<Result>
  /** Runs `change` in a transaction. @returns the result of `change`, as soon as the transaction is on disk */
  write<Result>(change: (statements: JobStatements) => Result): Promise<Result>
}
