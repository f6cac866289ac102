import pg from 'pg'
import type { JobStore } from '@genmount/core'
import { postgresBackend } from '@genmount/backend-postgres'
import { exampleJob } from '@genmount/testing'

const now = 1_000_000_000
const hour = 3_600_000
/** What a call looks at in the tables of jobs, costs and uploads. Rows and pages are an average. */
export interface Looks {
  /** Rows of tables and entries of indexes. */
  readonly rows: number
  /** Pages of tables and indexes, of 8 kB. */
  readonly pages: number
  /** The time in milliseconds that half of the calls take at most. */
  readonly ms: number
}

const idOf = (n: number) => `gen_${String(n).padStart(10, '0')}`

/**
 * So many jobs of one owner. Half of them run, and have their next steps in the next half hour. Autovacuum keeps away, because
 * what it looks at would count as well.
 */
const fill = (schema: string, size: number) => `
  ALTER TABLE ${schema}.jobs SET (autovacuum_enabled = false);
  ALTER TABLE ${schema}.costs SET (autovacuum_enabled = false);
  ALTER TABLE ${schema}.uploads SET (autovacuum_enabled = false);
  INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, delete_at, idempotency_key, stored_bytes, job)
    SELECT 'gen_' || lpad(n::text, 10, '0'), 'alice', CASE WHEN n % 2 = 1 THEN 'completed' ELSE 'running' END, 1,
      CASE WHEN n % 2 = 0 THEN ${now} + 1 + n % ${hour / 2} END, ${now + hour} + n, CASE WHEN n % 2 = 1 THEN ${now + hour} + n END,
      'key-' || n, CASE WHEN n % 2 = 1 THEN 10 END, '{"dueAt":' || ${now} + 1 + n % ${hour / 2} || ',"id":"' || n || '","input":{}}'
    FROM generate_series(0, ${size} - 1) AS n;
  INSERT INTO ${schema}.costs (job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at)
    SELECT 'gen_' || n, 'alice', 'm', 'p', 'completed', 1, ${now}, ${now}, ${now} + n FROM generate_series(0, ${size} - 1) AS n;
  INSERT INTO ${schema}.uploads
    SELECT 'upload-' || n, 'alice', 10, ${now + hour} + n FROM generate_series(0, ${size} - 1, 5) AS n;`

/**
 * The calls that look at more rows with many jobs than with few, or at more pages than deeper indexes explain, a page more in
 * each of up to a dozen indexes, and rows that each lie on a page of their own.
 */
export function growthIn(
  few: Readonly<Record<string, Looks>>,
  many: Readonly<Record<string, Looks>>,
): readonly unknown[] {
  return Object.entries(many).filter(
    ([call, { rows, pages }]) =>
      rows > few[call]!.rows + 2 || pages > Math.max(few[call]!.pages * 1.2, rows) + 12,
  )
}

type Call = (jobs: Required<JobStore>, round: number) => Promise<unknown>

/** One call of each kind in a store of twice `half` jobs, each with about the same answer for any number of jobs. */
const callsIn = (half: number): Readonly<Record<string, Call>> => {
  const id = idOf(half)
  const job = (changes: object) =>
    exampleJob({ id, owner: 'alice', createdAt: now, expiresAt: now + hour, ...changes })
  const page = { from: now, to: now + 10 * half, limit: 100, after: { job: id, endedAt: now + half } }
  const last = now + 2 * half
  const notedAt = now + hour + half
  return {
    get: (jobs) => jobs.get(id),
    findByIdempotencyKey: (jobs) => jobs.findByIdempotencyKey(`key-${half}`, now),
    'due, if nothing is': (jobs) => jobs.due(now, 100),
    'due, if many are': (jobs) => jobs.due(now + 100, 50),
    'expired, if nothing is': (jobs) => jobs.expired(now, 100),
    'expired, if many are': (jobs) => jobs.expired(notedAt, 100),
    list: (jobs) => jobs.list({ owner: 'alice', before: id, limit: 100, maxLength: 1e9 }),
    unfinished: (jobs) => jobs.unfinished('alice', 100),
    'spending of a moment, without reserved jobs': (jobs) =>
      jobs.spending('carol', [{ from: last - 10, costsFrom: last - 10 }]),
    'storedBytes of another owner': (jobs) => jobs.storedBytes('carol', now),
    'a page of costs of an owner': (jobs) => jobs.costs({ ...page, owner: 'alice' }),
    'a page of costs': (jobs) => jobs.costs(page),
    insert: (jobs, n) => jobs.insert(job({ id: `plain ${n}` })),
    'insert with an idempotency key and a limit': (jobs, n) =>
      jobs.insert(
        job({ id: `new ${n}`, owner: 'bob', idempotency: { key: `new ${n}`, fingerprint: '' } }),
        100,
      ),
    'insert beyond a limit': (jobs, n) => jobs.insert(job({ id: `refused ${n}` }), 100),
    replace: (jobs, n) => jobs.replace(job({ id: idOf(half + 2 * n), revision: 2 }), 1),
    'replace, at the end': (jobs, n) =>
      jobs.replace(job({ id: idOf(2 * n), revision: 2, phase: 'completed', completedAt: now }), 1),
    delete: (jobs, n) => jobs.delete(idOf(half + 2 * n + 1)),
    noteUpload: (jobs, n) =>
      jobs.noteUpload({ key: `upload-${5 * n}`, owner: 'alice', bytes: 0, expiresAt: 0, notedAt: now }),
  }
}

/**
 * So many finished jobs, nearly all of which have come to this end. Among them are ten of each other kind: of the other end,
 * running, and owing a delivery.
 */
const fillFinished = (phase: 'completed' | 'failed') => (schema: string, size: number) =>
  `
  ALTER TABLE ${schema}.jobs SET (autovacuum_enabled = false);
  INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, delete_at, is_failed, job)
    SELECT 'gen_' || lpad(n::text, 10, '0'), 'owner-' || n % 1000,
      CASE n % ${size / 10} WHEN 0 THEN '${phase === 'failed' ? 'completed' : 'failed'}' WHEN 1 THEN 'running' ELSE '${phase}' END, 1,
      CASE WHEN n % ${size / 10} IN (1, 2) THEN ${now} + n END, ${now + hour} + n,
      CASE WHEN n % ${size / 10} <> 1 THEN ${now + hour} + n END,
      CASE WHEN n % ${size / 10} ${phase === 'failed' ? 'NOT IN (0, 1)' : '= 0'} THEN true END,
      '{"handle":"task-' || n || '","id":"' || n || '","input":{}}'
    FROM generate_series(0, ${size} - 1) AS n;
  ALTER TABLE ${schema}.costs DISABLE TRIGGER USER;
  INSERT INTO ${schema}.costs (job_id, owner, model, outcome, created_at, ended_at, task_hash)
    SELECT id, owner, 'm', phase, ${now}, ${now}, hashtextextended(job::json ->> 'handle', 0)
    FROM ${schema}.jobs WHERE delete_at IS NOT NULL;`

/** What operators ask for, in a store of so many jobs. */
const operatorsCalls = (half: number): Readonly<Record<string, Call>> => {
  const page = { before: idOf(2 * half - 5), limit: 20, maxLength: 1e9 }
  return {
    all: (jobs) => jobs.listAll(page),
    unfinished: (jobs) => jobs.listAll({ ...page, state: 'unfinished' }),
    completed: (jobs) => jobs.listAll({ ...page, state: 'completed' }),
    failed: (jobs) => jobs.listAll({ ...page, state: 'failed' }),
    owing: (jobs) => jobs.listAll({ ...page, state: 'owing' }),
    'the job of a task': (jobs) => jobs.findByTaskId(`task-${half + 6}`, 10),
    'the job of an unknown task': (jobs) => jobs.findByTaskId('task', 10),
  }
}

/** As `looksOf`, for what operators ask for, if nearly all jobs have come to this end. */
export const operatorsLooks = (url: string, schema: string, size: number, phase: 'completed' | 'failed') =>
  looksOf(url, schema, size, 8, { fill: fillFinished(phase), callsIn: operatorsCalls })

/**
 * For each call, what Postgres looks at with so many jobs of one owner.
 * @param calls how often each call is made. After five calls Postgres may plan a statement without its values
 * @param asked other jobs, and other calls
 */
export async function looksOf(
  url: string,
  schema: string,
  size: number,
  calls = 8,
  asked = { fill, callsIn },
): Promise<Readonly<Record<string, Looks>>> {
  // One connection, which reports what it has looked at when it is asked to. Others would report it later.
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const side = new pg.Pool({ connectionString: url, max: 1 })
  const backend = postgresBackend({ pool, schema })
  const jobs = backend.jobs as Required<JobStore>
  /** All that the connection of the backend has looked at so far. */
  async function looked() {
    const client = await pool.connect()
    await client.query('SELECT pg_stat_force_next_flush()')
    client.release()
    const { rows } = await side.query(
      `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = ANY ($2))
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = ANY ($2)) AS rows,
        (SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
          FROM pg_statio_user_tables WHERE schemaname = $1 AND relname = ANY ($2)) AS pages`,
      [schema, ['jobs', 'costs', 'uploads']],
    )
    return { rows: Number(rows[0].rows), pages: Number(rows[0].pages) }
  }
  try {
    await backend.ready?.()
    await side.query(asked.fill(schema, size))
    await side.query(`VACUUM ANALYZE ${schema}.jobs, ${schema}.costs, ${schema}.uploads`)
    // Otherwise what has been looked at so far would be reported between the calls.
    await side.query('SELECT pg_stat_force_next_flush()')
    const looks: Record<string, Looks> = {}
    for (const [name, call] of Object.entries(asked.callsIn(size / 2))) {
      // Before the first call, a connection has nothing in its caches.
      await call(jobs, 0)
      const before = await looked()
      const tookMs: number[] = []
      for (let round = 1; round <= calls; round++) {
        const beganAt = performance.now()
        await call(jobs, round)
        tookMs.push(performance.now() - beganAt)
      }
      const after = await looked()
      looks[name] = {
        rows: (after.rows - before.rows) / calls,
        pages: (after.pages - before.pages) / calls,
        ms: tookMs.toSorted((a, b) => a - b)[calls >> 1]!,
      }
    }
    return looks
  } finally {
    await backend.close()
    await pool.end()
    await side.end()
  }
}
