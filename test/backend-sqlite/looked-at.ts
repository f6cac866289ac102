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

/** A store that counts the rows which SQLite looks at: how often it checks the conditions of a statement. */
function countingStore(size: number) {
  const database = filled(size)
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
  const { jobs, looks } = countingStore(size)
  const counts: Record<string, number> = {}
  for (const [name, call] of Object.entries(calls(size / 2))) {
    const before = looks()
    await call(jobs)
    counts[name] = looks() - before
  }
  return counts
}
