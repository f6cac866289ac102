import { changing, inserted } from '../sqlite/job-columns.ts'
import { pageOf, selectJob, spendingColumns, sqlOf } from '../sqlite/job-statements.ts'
import { type UsageName, usageStatements } from '../sqlite/usage-statements.ts'

const parameters = (columns: readonly string[]) => columns.map((column) => `:${column}`).join(', ')

const ofSpan = (field: string) => `(span.value ->> '${field}')`

/**
 * Whether a job that reserves `:reserved_micro_usd` fits into the budgets of the JSON `:spans`. Only the statement that writes
 * can check this: nothing comes between the check and the write.
 * @param own what the sums contain of the stored job
 */
const isWithin = (own: string) => `
  NOT EXISTS (
    SELECT 1 FROM json_each(:spans) AS budget
    JOIN (SELECT span.key AS place, ${spendingColumns(ofSpan)} FROM json_each(:spans) AS span) AS sums
      ON sums.place = budget.key
    WHERE spent + reserved - granted - ${own} + ifnull(:reserved_micro_usd, 0) > budget.value ->> 'mostMicroUsd'
  )`

const isStored = 'EXISTS (SELECT 1 FROM jobs WHERE id = :id)'
const hasRevision = 'EXISTS (SELECT 1 FROM jobs WHERE id = :id AND revision = ifnull(:expected, revision))'
const unfinished = `
  (SELECT count(*) FROM (
    SELECT 1 FROM jobs WHERE owner = :owner AND phase NOT IN ('completed', 'failed') LIMIT ifnull(:most, 0)
  ))`

/**
 * The statements of a store over batches, with names for all parameters. What `sqliteJobStore` decides between two statements
 * is a condition of the later one here.
 */
const texts = {
  freeExpiredKey:
    'UPDATE jobs SET idempotency_key = NULL WHERE idempotency_key = :idempotency_key AND expires_at <= :now',
  countUnfinished: `SELECT ${unfinished} AS jobs`,
  spending: `SELECT ${spendingColumns(ofSpan)} FROM json_each(:spans) AS span ORDER BY span.key`,
  insert: `
    INSERT INTO jobs (${inserted.join(', ')}) SELECT ${parameters(inserted)}
    WHERE (:most IS NULL OR ${unfinished} < :most) AND ${isWithin('0')}
    ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`,
  // An insert that was refused leaves no job with this id.
  insertTask: `INSERT INTO tasks (job_id, task) SELECT :id, :task WHERE ${isStored}`,
  insertInput: `INSERT INTO inputs (job_id, input) SELECT :id, :input WHERE ${isStored}`,
  // `:id` is the job that an insert has just given the key to.
  holderOfKey: `
    ${selectJob('0', '0')} WHERE idempotency_key = :idempotency_key AND expires_at > :now AND jobs.id <> ifnull(:id, '')`,
  get: `${selectJob(':hasTask', ':hasInput')} WHERE jobs.id = :id AND owner = ifnull(:owner, owner)`,

  reservedOf: 'SELECT ifnull(reserved_micro_usd, 0) AS own FROM jobs WHERE id = :id AND revision = :expected',
  replace: `
    UPDATE jobs SET ${changing.map((column) => `${column} = :${column}`).join(', ')}
    WHERE id = :id AND revision = :expected AND ${isWithin('ifnull(jobs.reserved_micro_usd, 0)')} RETURNING id`,
  // These two stand before the statement that gives the job another revision, or deletes it.
  deleteTask: `DELETE FROM tasks WHERE job_id = :id AND ${hasRevision}`,
  deleteInput: `DELETE FROM inputs WHERE job_id = :id AND ${hasRevision}`,
  delete: 'DELETE FROM jobs WHERE id = :id AND revision = ifnull(:expected, revision)',

  due: sqlOf('due'),
  expired: `
    ${selectJob('0', '0')}
    WHERE phase IN ('completed', 'failed') AND ifnull(delete_at, expires_at) <= :now LIMIT :limit`,
  list: pageOf('jobs', 'owner = :owner'),
  all: sqlOf('all'),
  allUnfinished: sqlOf('allUnfinished'),
  allCompleted: sqlOf('allCompleted'),
  allFailed: sqlOf('allFailed'),
  allOwing: sqlOf('allOwing'),
  byTask: sqlOf('byTask'),
  audit: 'INSERT OR REPLACE INTO audit (id, done_at, job_id, entry) VALUES (:id, :at, :job, :entry)',
  auditOfJob: sqlOf('auditOfJob'),
  auditOfAll: sqlOf('auditOfAll'),
  unfinished: `SELECT id FROM jobs WHERE owner = :owner AND phase NOT IN ('completed', 'failed') LIMIT :limit`,

  grant: `
    INSERT INTO grants (id, owner, micro_usd, granted_by, why, granted_at)
    VALUES (:id, :owner, :microUsd, :by, :why, :grantedAt) ON CONFLICT (id) DO NOTHING`,
  grantOf: 'SELECT * FROM grants WHERE id = :id',
  grants: sqlOf('grants'),
  grantsOfAll: sqlOf('grantsOfAll'),
  storedBytes: sqlOf('storedBytes'),
  noteUpload:
    'INSERT OR REPLACE INTO uploads (key, owner, bytes, expires_at) VALUES (:key, :owner, :bytes, :expiresAt)',
  forgetUpload: 'DELETE FROM uploads WHERE key = :key',
  forgetExpiredUploads: `
    DELETE FROM uploads WHERE key IN (SELECT key FROM uploads WHERE expires_at <= :now LIMIT 100)`,
  costs: sqlOf('costs'),
  costsOfAll: sqlOf('costsOfAll'),
  ...usageStatements,

  revisions: 'SELECT id, revision FROM jobs WHERE id IN (SELECT value FROM json_each(:ids))',
  instant: "SELECT unixepoch('subsec') * 1000 AS now",
}

export type StatementName = keyof typeof texts | UsageName

export const batchStatements: Readonly<Record<StatementName, string>> = texts
