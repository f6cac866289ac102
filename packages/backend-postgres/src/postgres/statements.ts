import { budgetStatements, isRoomLeft } from './budget-statements.ts'
import { dueColumn, dueSlackMs, exactlyDueAt } from './due-slack.ts'
import { operatorStatements } from './operator-statements.ts'
import { processStatements, serverTime } from './process-statements.ts'
import { mergedUsage, usageOfAllStatements, usageOfOwner } from './usage-statements.ts'

const unclaimed = '(claimed_until IS NULL OR claimed_until <= $1 OR claimed_until > $2)'

/** The columns of a job. `$1` and `$2` say whether this process has task and input in memory: their texts are not read. */
const jobColumns = `
  ${serverTime}, job, task_part, input_part,
  CASE WHEN NOT $1::boolean THEN (SELECT text FROM @parts WHERE id = task_part) END AS task,
  CASE WHEN NOT $2::boolean THEN (SELECT text FROM @parts WHERE id = input_part) END AS input`

const changingColumns = 'phase, revision, due_at, claimed_until, claimed_by, expires_at, delete_at, job'
const recordColumns =
  'phase text, revision bigint, due_at bigint, claimed_until bigint, claimed_by text, expires_at bigint, delete_at bigint, job text, stored_bytes bigint'
const columns = `id, owner, idempotency_key, ${changingColumns}, task_part, input_part, stored_bytes`

const costColumns =
  'job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs, reserved_micro_usd, key_id, seconds'
const writtenCostColumns = `${costColumns}, task_hash`

const changes = `
  phase = $3, revision = $4, due_at = ${dueColumn('$5::bigint')}, claimed_until = $6, claimed_by = $7, expires_at = $8,
  delete_at = $9, job = $10, is_failed = nullif($3::text = 'failed', false)`

/**
 * Notifies the other processes that wait for the job. Transactions that notify commit one after another, so a write
 * must send no notification if no process waits for the job. `me` is the id of this process, or null for a write that
 * must not notify any process.
 */
const telling = (job: string, me: string) => `
  (SELECT count(pg_notify('@channel', job_id)) FROM @waits
  WHERE job_id = ${job} AND process <> ${me}) AS told`

/** The columns of the ledger that a job that ends again changes. */
const costChanges = [
  'provider',
  'outcome',
  'cost_usd',
  'started_at',
  'ended_at',
  'outputs',
  'reserved_micro_usd',
  'seconds',
  'task_hash',
]

/** The end of a statement that inserts into the ledger: the new entry of a job replaces its old one. */
const orCostChanges = `
  ON CONFLICT (job_id) DO UPDATE SET ${costChanges.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE (${costChanges.map((column) => `known.${column}`).join(', ')})
    IS DISTINCT FROM (${costChanges.map((column) => `excluded.${column}`).join(', ')})`

/** The statements of the backend by their names. `@` stands for the schema. */
const texts = {
  insert: `
    INSERT INTO @jobs (${columns})
    VALUES ($1, $2, NULL, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL, $11)`,

  // A job that has expired must lose the key before the new job takes it. Reading from `freed` makes Postgres do the
  // UPDATE first. $15 is the sum of the bytes of the outputs. $16 is how many unfinished jobs the owner may have, or null.
  // $17 is what the job reserves, or null. $18 are its budgets, an array of records in JSON, or null. $19 is the key of the job.
  insertUnlessTaken: `
    WITH counted AS MATERIALIZED (
      SELECT CASE WHEN $16::bigint IS NULL THEN true ELSE @unfinished_jobs($2, $16) < $16 END AS is_within
    ), room AS MATERIALIZED (
      SELECT is_within, taken, is_within AND ${isRoomLeft('taken', 'coalesce($17::bigint, 0)', '$18')} AS is_left
      FROM counted, LATERAL (
        SELECT CASE WHEN is_within AND $18::json IS NOT NULL THEN @locked_taken($2, $18) END AS taken OFFSET 0
      ) AS added_up
    ), freed AS (
      UPDATE @jobs SET idempotency_key = NULL
      WHERE idempotency_key = $11 AND expires_at <= $12 AND (SELECT is_left FROM room) RETURNING id
    ), written AS (
      INSERT INTO @jobs (${columns}, reserved_micro_usd, key_id)
      SELECT $1, $2, $11, $3, $4::bigint, $5::bigint, $6::bigint, $7, $8::bigint, $9::bigint, $10,
        CASE WHEN $13::text IS NOT NULL THEN nextval('@parts_id_seq') END,
        CASE WHEN $14::text IS NOT NULL THEN nextval('@parts_id_seq') END,
        $15::bigint, $17::bigint, $19
      FROM (SELECT count(*) FROM freed) AS first, room WHERE is_left
      ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
      RETURNING id, task_part, input_part
    ), parts AS (
      INSERT INTO @parts (id, text) OVERRIDING SYSTEM VALUE
      SELECT task_part, $13 FROM written WHERE task_part IS NOT NULL
      UNION ALL SELECT input_part, $14 FROM written WHERE input_part IS NOT NULL
    )
    SELECT is_within, is_left, to_json(taken)::text AS taken, id FROM room LEFT JOIN written ON true`,

  // $11 is the sum of the bytes of the outputs, and $13 what the job reserves.
  replace: `
    WITH written AS (
      UPDATE @jobs SET ${changes}, stored_bytes = $11, reserved_micro_usd = $13 WHERE id = $1 AND revision = $2 RETURNING id
    )
    SELECT id, ${telling('$1', '$12')} FROM written`,

  // The same for a job that reserves more. $14 are its budgets, of which the stored job has taken a part already.
  replaceReserving: `
    WITH room AS MATERIALIZED (
      SELECT id, own, taken, ${isRoomLeft('taken', '$13::bigint - own', '$14')} AS is_left
      FROM (
        SELECT id, coalesce(reserved_micro_usd, 0) AS own FROM @jobs WHERE id = $1 AND revision = $2
      ) AS stored, LATERAL (SELECT @locked_taken($15, $14) AS taken OFFSET 0) AS added_up
    ), written AS (
      UPDATE @jobs SET ${changes}, stored_bytes = $11, reserved_micro_usd = $13
      FROM room WHERE jobs.id = room.id AND is_left AND jobs.revision = $2 RETURNING jobs.id
    )
    SELECT is_left, own, to_json(taken)::text AS taken, written.id, ${telling('written.id', '$12')} FROM room LEFT JOIN written ON true`,

  // $13 and $14 say whether the job keeps its task and its input. $15 to $26 are the entry of the ledger, or nulls. $27 is
  // the vendor's id of the task, or null. The row is not locked before it is updated: a job whose parts have changed has another revision, and is not written.
  replaceFinished: `
    WITH old AS (
      SELECT id, task_part, input_part FROM @jobs WHERE id = $1 AND revision = $2
    ), written AS (
      UPDATE @jobs SET ${changes}, stored_bytes = $11,
        task_part = CASE WHEN $13::boolean THEN old.task_part END,
        input_part = CASE WHEN $14::boolean THEN old.input_part END
      FROM old WHERE jobs.id = old.id AND jobs.revision = $2 RETURNING jobs.id, old.task_part, old.input_part
    ), gone AS (
      DELETE FROM @parts WHERE id IN (
        SELECT task_part FROM written WHERE NOT $13 UNION ALL SELECT input_part FROM written WHERE NOT $14
      )
    ), cost AS (
      INSERT INTO @costs AS known (${writtenCostColumns})
      SELECT id, $15, $16, $17, $18, $19::float8, $20::bigint, $21::bigint, $22::bigint, $23::bigint, $24::bigint, $25,
        $26::float8, hashtextextended($27::text, 0)
      FROM written
      WHERE $15::text IS NOT NULL
      ${orCostChanges}
    )
    SELECT id, ${telling('$1', '$12')} FROM written`,

  // Does what `insert`, `replace` and `replaceFinished` do, for several jobs. $1 is an array of records in JSON. As they are
  // compared with one kind, Postgres expects few of them, and looks up job by job, however many are in the table.
  writeSeveral: `
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS given (
        n int, kind text, id text, owner text, expected bigint, teller text, ${recordColumns},
        keeps_task boolean, keeps_input boolean, cost_owner text, model text, provider text, outcome text,
        cost_usd float8, created_at bigint, started_at bigint, ended_at bigint, outputs bigint, cost_reserved bigint,
        key_id text, seconds float8, reserved bigint, task_id text
      )
    ), inserted AS (
      INSERT INTO @jobs (id, owner, ${changingColumns}, stored_bytes)
      SELECT id, owner, ${changingColumns}, stored_bytes FROM given WHERE kind = 'insert'
    ), written AS (
      UPDATE @jobs SET phase = given.phase, revision = given.revision, due_at = ${dueColumn('given.due_at')},
        is_failed = nullif(given.phase = 'failed', false),
        claimed_until = given.claimed_until, claimed_by = given.claimed_by, expires_at = given.expires_at,
        delete_at = given.delete_at, job = given.job, stored_bytes = given.stored_bytes,
        reserved_micro_usd = CASE WHEN given.delete_at IS NULL THEN given.reserved ELSE stored.reserved_micro_usd END,
        task_part = CASE WHEN coalesce(given.keeps_task, true) THEN stored.task_part END,
        input_part = CASE WHEN coalesce(given.keeps_input, true) THEN stored.input_part END
      FROM given JOIN @jobs AS stored ON stored.id = given.id AND stored.revision = given.expected
      WHERE kind = 'replace' AND jobs.id = stored.id AND jobs.revision = given.expected
      RETURNING given.*, stored.task_part AS old_task, stored.input_part AS old_input
    ), gone AS (
      DELETE FROM @parts WHERE id IN (
        SELECT old_task FROM written WHERE NOT keeps_task UNION ALL SELECT old_input FROM written WHERE NOT keeps_input
      )
    ), cost AS (
      INSERT INTO @costs AS known (${writtenCostColumns})
      SELECT id, cost_owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs, cost_reserved,
        key_id, seconds, hashtextextended(task_id, 0)
      FROM written
      WHERE cost_owner IS NOT NULL
      ${orCostChanges}
    )
    SELECT n, ${telling('written.id', 'written.teller')} FROM written`,

  get: `SELECT ${jobColumns} FROM @jobs WHERE id = $3 AND ($4::text IS NULL OR owner = $4)`,
  // Leaves the texts of parts out. `OFFSET 0` makes Postgres look up job by job, so that its plan is right for any
  // number of jobs in the table.
  getSeveral: `
    SELECT ${serverTime}, asked.n, found.job, found.task_part, found.input_part
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (id, owner, n)
    CROSS JOIN LATERAL (
      SELECT job, task_part, input_part FROM @jobs
      WHERE id = asked.id AND (asked.owner IS NULL OR owner = asked.owner) OFFSET 0
    ) AS found`,
  holderOfKey: `SELECT ${jobColumns} FROM @jobs WHERE idempotency_key = $3 AND expires_at > $4`,

  // Both halves are read in the order of the index, which is off by at most the slack.
  due: `
    (SELECT id, ${exactlyDueAt} AS exactly FROM @jobs
    WHERE due_at <= $1 AND (due_at <= $1::bigint - ${dueSlackMs} OR ${exactlyDueAt} <= $1) AND ${unclaimed}
    ORDER BY due_at LIMIT $3::bigint + $4::bigint)
    UNION ALL
    (SELECT id, ${exactlyDueAt} AS exactly FROM @jobs
    WHERE due_at > $2::bigint - ${dueSlackMs} AND (due_at > $2 OR ${exactlyDueAt} > $2) AND ${unclaimed}
    ORDER BY due_at LIMIT $3::bigint + $4::bigint)
    ORDER BY exactly LIMIT $3::bigint OFFSET $4::bigint`,
  expired: `SELECT ${jobColumns} FROM @jobs WHERE delete_at <= $3 ORDER BY delete_at LIMIT $4`,
  delete: `
    WITH gone AS (
      DELETE FROM @jobs WHERE id = $1 AND revision = coalesce($2::bigint, revision) RETURNING task_part, input_part
    )
    DELETE FROM @parts WHERE id IN (SELECT task_part FROM gone UNION ALL SELECT input_part FROM gone)`,

  costs: `
    SELECT ${costColumns} FROM @costs
    WHERE owner = $6 AND ended_at >= $1 AND ended_at < $2 AND (ended_at, job_id) > ($3, $4)
    ORDER BY ended_at, job_id LIMIT $5`,
  costsOfAll: `
    SELECT ${costColumns} FROM @costs
    WHERE ended_at >= $1 AND ended_at < $2 AND (ended_at, job_id) > ($3, $4)
    ORDER BY ended_at, job_id LIMIT $5`,

  usage: usageOfOwner,
  ...usageOfAllStatements,
  mergeUsage: mergedUsage('owner = $3 AND'),
  mergeUsageOfAll: mergedUsage(''),

  // Postgres knows the length of a text in bytes without reading the text. The first job is returned whatever its
  // length. The comparisons are of pairs, because only the index on owner and id serves those: with one comparison for
  // each column, Postgres may go through the jobs of all owners by id when it expects this owner to have many.
  list: `
    SELECT job, (SELECT text FROM @parts WHERE id = input_part) AS input FROM (
      SELECT *, sum(length) OVER (ORDER BY owner DESC, id DESC) - length AS length_before FROM (
        SELECT owner, id, job, input_part, octet_length(job)
          + coalesce((SELECT octet_length(text) FROM @parts WHERE id = input_part), 0) AS length
        FROM @jobs WHERE (owner, id) >= ($1, $2) AND (owner, id) < ($1, $3)
        ORDER BY owner DESC, id DESC LIMIT $4
      ) AS last_ones
    ) AS measured
    WHERE length_before = 0 OR length_before + length <= $5 ORDER BY owner DESC, id DESC`,

  ...operatorStatements,
  unfinished: 'SELECT id FROM @jobs WHERE owner = $1 AND delete_at IS NULL LIMIT $2',
  ...budgetStatements,
  storedBytes: `
    SELECT coalesce((
      SELECT sum(stored_bytes) FROM @jobs WHERE owner = $1 AND expires_at > $2 AND stored_bytes IS NOT NULL
    ), 0) + coalesce((SELECT sum(bytes) FROM @uploads WHERE owner = $1 AND expires_at > $2), 0) AS bytes`,
  // Uploads of 0 bytes are deleted, and so are some that have expired at $5. Rows that others are deleting are left to them.
  noteUpload: `
    WITH gone AS (
      DELETE FROM @uploads WHERE key IN (
        SELECT key FROM @uploads WHERE expires_at <= $5 AND key <> $1 LIMIT 100 FOR UPDATE SKIP LOCKED
      )
    ), given_up AS (
      DELETE FROM @uploads WHERE key = $1 AND $3::bigint = 0
    )
    INSERT INTO @uploads (key, owner, bytes, expires_at)
    SELECT $1, $2, $3::bigint, $4::bigint WHERE $3::bigint > 0
    ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes, expires_at = excluded.expires_at`,

  ...processStatements,

  wait: `
    WITH kept AS (
      INSERT INTO @waits (job_id, process) SELECT id, $2 FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING
    )
    SELECT id, revision FROM @jobs WHERE id = ANY ($1::text[])`,
  tellNews: `SELECT count(pg_notify('@channel', $3)) FROM @waits WHERE job_id = $1 AND process <> $2`,
  stopWaiting: 'DELETE FROM @waits WHERE process = $2 AND job_id = ANY ($1::text[])',
}

export type StatementName = keyof typeof texts

/** The names of the statements. */
export const statementNames = Object.keys(texts) as StatementName[]

/** The SQL of a statement on the tables of a schema. */
export function sqlOf(name: StatementName, schema: string): string {
  return texts[name]
    .replaceAll('@channel', channelOf(schema))
    .replaceAll('@space', schema)
    .replaceAll('@', `${schema}.`)
}

/** The channel of the notifications. */
export function channelOf(schema: string): string {
  return `genmount_${schema}`
}
