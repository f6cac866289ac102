/**
 * How large the tables of Postgres become after many lives of jobs, of which a few thousand are kept at a time, and how
 * many lives a second one process gets through. Run it with the number of lives:
 * `node --conditions=@genmount/source test/bench/postgres/bloat.ts 100000`
 */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import type { Job } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { startPostgres } from '../../postgres/start-postgres.ts'

const lives = Number(process.argv[2] ?? 10_000)
const kept = 5000
const atATime = 16
const pollsPerLife = 3

const server = await startPostgres(['autovacuum_naptime=5s', 'max_wal_size=1GB'])
const pool = new pg.Pool({ connectionString: server.url('postgres'), max: atATime + 1 })
pool.on('error', () => {})
const backend = postgresBackend({ pool })
const { jobs, processes } = backend
await backend.ready?.()

async function step(job: Job, changes: Partial<Job>, without: readonly (keyof Job)[] = []): Promise<Job> {
  const next = { ...job, ...changes, revision: job.revision + 1 } as Record<string, unknown>
  for (const name of without) delete next[name]
  if ((await jobs.replace(next as unknown as Job, job.revision)) !== 'replaced')
    throw new Error('It was stale.')
  return next as unknown as Job
}

async function live(index: number): Promise<void> {
  const now = Date.now()
  const id = `gen_${now.toString(16).padStart(12, '0')}${index.toString(16).padStart(20, '0')}`
  const idempotency = { key: `["owner","generate","${index}"]`, fingerprint: 'f'.repeat(64) }
  const claim = () => ({
    claimedUntil: Date.now() + 30_000,
    claimToken: `${processes?.id}:${crypto.randomUUID()}`,
  })
  let job = exampleJob({
    id,
    owner: `owner-${index % 1000}`,
    createdAt: now,
    phase: 'submitting',
    idempotency,
    ...claim(),
  })
  await jobs.insert(job)
  job = await step(job, { phase: 'running', handle: { id }, dueAt: Date.now() + 2000 }, ['claimedUntil'])
  for (let poll = 0; poll < pollsPerLife; poll++)
    job = await step(job, { dueAt: Date.now() + 4000, ...claim() })
  const outputs = [{ url: 'https://cdn.example/0.png', contentType: 'image/png' }]
  await step(job, { phase: 'completed', completedAt: Date.now(), costUsd: 0.01, outputs }, [
    'claimedUntil',
    'dueAt',
    'task',
  ])
  ids.push(id)
  const old = ids.length > kept ? ids.shift() : undefined
  if (old) await jobs.delete(old)
}

const ids: string[] = []
let next = 0
const from = performance.now()
const marks = [0.1, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * lives))
async function report(): Promise<void> {
  const { rows } = await pool.query(`
    SELECT pg_table_size('genmount.jobs') AS "table", pg_indexes_size('genmount.jobs') AS indexes,
      pg_relation_size('genmount.jobs_pkey') AS pkey, pg_relation_size('genmount.jobs_due') AS due,
      (SELECT n_tup_hot_upd::float8 / nullif(n_tup_upd, 0) FROM pg_stat_user_tables WHERE relname = 'jobs') AS hot`)
  const [row] = rows
  const mb = (bytes: unknown) => Math.round(Number(bytes) / 1e5) / 10
  const perSecond = Math.round((next / (performance.now() - from)) * 1000)
  console.log(
    `${next} lives, ${perSecond} a second: jobs ${mb(row.table)} MB, indexes ${mb(row.indexes)} MB (id ${mb(row.pkey)}, due ${mb(row.due)}), HOT ${Math.round(row.hot * 100)} %`,
  )
}
async function work(): Promise<void> {
  while (next < lives) {
    const index = next++
    await live(index)
    if (marks.includes(index + 1)) await report()
  }
}
await Promise.all(Array.from({ length: atATime }, work))
await backend.close()
await pool.end()
await server.stop()
