import { DatabaseSync } from 'node:sqlite'
import type { JobStore } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { type JobStatements, jobStatements } from '../../packages/backend-sqlite/src/sqlite/job-statements.ts'
import { migrations } from '../../packages/backend-sqlite/src/sqlite/migrations.ts'
import { sqliteJobStore } from '../../packages/backend-sqlite/src/sqlite/sqlite-job-store.ts'

const now = 1_000_000_000
const hour = 3_600_000

/** A file with so many jobs of one owner. Half of them run, and have their next steps in the next hour. */
function filled(size: number): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const migration of migrations) database.exec(migration)
  database.exec(`
    CREATE TEMP TABLE numbers AS
      WITH RECURSIVE each (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM each WHERE n < ${size - 1}) SELECT n FROM each;
    INSERT INTO jobs (id, owner, phase, revision, due_at, expires_at, idempotency_key, stored_bytes, job)
      SELECT printf('gen_%08d', n), 'alice', iif(n % 2, 'completed', 'running'), 1,
        iif(n % 2, NULL, ${now} + 1 + n), ${now} + ${hour} + n, 'key-' || n, iif(n % 2, 10, NULL),
        json_object('id', n, 'claimToken', 'process:' || n)
      FROM numbers;
    INSERT INTO costs SELECT 'gen_' || n, 'alice', 'm', 'p', 'completed', 1, ${now}, ${now}, ${now} + n, 1, NULL, NULL, NULL FROM numbers;
    INSERT INTO daily_usage
      SELECT owner, day, model, key_id, count(*), 0, count(*), 0, count(*) * 1000000, 0, 0 FROM counted_costs GROUP BY 1, 2, 3, 4;
    INSERT INTO uploads SELECT 'upload-' || n, 'alice', 10, ${now} + ${hour} + n FROM numbers WHERE n % 5 = 0;
    ANALYZE`)
  return database
}

/**
 * A file with so many finished jobs, nearly all of which have come to this end, and have lost their deliveries long ago. Every
 * so many jobs, there are ten of each other state.
 */
function filledWith(size: number, phase: 'completed' | 'failed'): DatabaseSync {
  const other = phase === 'failed' ? 'completed' : 'failed'
  const database = new DatabaseSync(':memory:')
  for (const migration of migrations) database.exec(migration)
  database.exec(`
    CREATE TEMP TABLE numbers AS
      WITH RECURSIVE each (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM each WHERE n < ${size - 1}) SELECT n FROM each;
    CREATE TEMP TABLE rare AS SELECT n, n / ${size / 10} AS place, n % ${size / 10} AS kind FROM numbers;
    INSERT INTO jobs (id, owner, phase, revision, due_at, expires_at, job)
      SELECT printf('gen_%08d', n), 'owner-' || n % 1000,
        CASE kind WHEN 0 THEN '${other}' WHEN 1 THEN 'running' ELSE '${phase}' END, 1,
        iif(kind IN (1, 2), ${now} + n, NULL), ${now} + ${hour} + n,
        json_object('id', n, 'handle', iif(n % 2, 'task-' || n, json_object('id', 'task-' || n)))
      FROM rare`)
  return database
}

/** A store that counts the rows which SQLite looks at: how often it checks the conditions of a statement. */
function countingStore(database: DatabaseSync) {
  let looks = 0
  database.function('looked', () => {
    looks++
    return 1
  })
  const statements = jobStatements({
    prepare: (sql: string) => database.prepare(sql.replaceAll(/\bWHERE /g, 'WHERE looked() AND ')),
  })
  const run = async <Result>(use: (statements: JobStatements) => Result) => use(statements)
  const jobs = sqliteJobStore({ read: run, glance: run, write: run })
  return { jobs: jobs as Required<JobStore>, looks: () => looks }
}

/** One call of each kind in a file of twice `half` jobs, each with about the same answer for any number of jobs. */
const calls = (half: number): Readonly<Record<string, (jobs: Required<JobStore>) => Promise<unknown>>> => {
  const id = `gen_${String(half).padStart(8, '0')}`
  const job = (changes: object) =>
    exampleJob({ id, owner: 'alice', createdAt: now, expiresAt: now + hour, ...changes })
  const page = { from: now, to: now + 10 * half, limit: 100, after: { job: id, endedAt: now + half } }
  const day = 24 * hour
  const monthBegins = now - (now % day)
  const month = { from: monthBegins, to: monthBegins + 31 * day, groupBy: ['day'], limit: 100 } as const
  const notedAt = now + hour + half
  return {
    get: (jobs) => jobs.get(id),
    findByIdempotencyKey: (jobs) => jobs.findByIdempotencyKey(`key-${half}`, now),
    'due, if nothing is': (jobs) => jobs.due(now, 100),
    'due, if many are': (jobs) => jobs.due(now + 100, 100),
    'expired, if nothing is': (jobs) => jobs.expired(now, 100),
    'expired, if many are': (jobs) => jobs.expired(notedAt, 100),
    list: (jobs) => jobs.list({ owner: 'alice', before: id, limit: 100, maxLength: 1e9 }),
    unfinished: (jobs) => jobs.unfinished('alice', 100),
    'spending of a moment': (jobs) =>
      jobs.spending('alice', [{ from: now + 2 * half - 10, costsFrom: now + 2 * half - 10 }]),
    'what an owner used in a month': (jobs) => jobs.dailyUsage({ ...month, owner: 'alice' }),
    'what all owners used in a month': (jobs) => jobs.dailyUsage(month),
    'a page of costs of an owner': (jobs) => jobs.costs({ ...page, owner: 'alice' }),
    'a page of costs': (jobs) => jobs.costs(page),
    insert: (jobs) => jobs.insert(job({ id: 'new', idempotency: { key: 'new', fingerprint: '' } }), 100),
    replace: (jobs) => jobs.replace(job({ revision: 2 }), 1),
    delete: (jobs) => jobs.delete(id),
    noteUpload: (jobs) =>
      jobs.noteUpload({ key: 'upload-5', owner: 'alice', bytes: 0, expiresAt: 0, notedAt }),
  }
}

/** For each call, how many rows SQLite looks at in a file of so many jobs. */
export async function looksOf(size: number): Promise<Readonly<Record<string, number>>> {
  return countedLooks(filled(size), calls(size / 2))
}

/** The same for what operators ask for, if nearly all jobs have come to this end. */
export async function operatorsLooks(size: number, phase: 'completed' | 'failed') {
  const page = { before: `gen_${String(size - 5).padStart(8, '0')}`, limit: 20, maxLength: 1e9 }
  return countedLooks(filledWith(size, phase), {
    all: (jobs) => jobs.listAll(page),
    unfinished: (jobs) => jobs.listAll({ ...page, state: 'unfinished' }),
    completed: (jobs) => jobs.listAll({ ...page, state: 'completed' }),
    failed: (jobs) => jobs.listAll({ ...page, state: 'failed' }),
    owing: (jobs) => jobs.listAll({ ...page, state: 'owing' }),
    'the job of a task': (jobs) => jobs.findByTaskId(`task-${size / 2 + 6}`, 10),
    'the job of an unknown task': (jobs) => jobs.findByTaskId('task', 10),
  })
}

async function countedLooks(database: DatabaseSync, callsIn: ReturnType<typeof calls>) {
  const { jobs, looks } = countingStore(database)
  const counts: Record<string, number> = {}
  for (const [name, call] of Object.entries(callsIn)) {
    const before = looks()
    await call(jobs)
    counts[name] = looks() - before
  }
  return counts
}
