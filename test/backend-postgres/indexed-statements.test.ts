import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type pg from 'pg'
import { sqlOf, statementNames } from '../../packages/backend-postgres/src/postgres/statements.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

const rows = 100_000
/** These statements read the waits of all processes. Each process runs them once in its life, so they need no index. */
const rare = ['leave', 'forget']
const now = Date.UTC(2026, 0, 1)

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** Fills the tables. One job of a hundred is unfinished. */
async function fill(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(`
    INSERT INTO ${schema}.parts (id, text) OVERRIDING SYSTEM VALUE SELECT n, 'long' FROM generate_series(1, ${rows / 10}) AS n;
    INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, delete_at, idempotency_key, task_part, job)
    SELECT 'gen_' || n, 'owner-' || n % 1000, CASE WHEN n % 100 = 0 THEN 'running' ELSE 'completed' END, 5,
      CASE WHEN n % 100 = 0 THEN ${now} + n END, ${now} + n, CASE WHEN n % 100 <> 0 THEN ${now} + n END, 'key-' || n,
      CASE WHEN n <= ${rows / 10} THEN n END, '{}'
    FROM generate_series(1, ${rows}) AS n;
    INSERT INTO ${schema}.costs SELECT 'gen_' || n, 'owner-' || n % 1000, 'm', 'p', 'completed', 1, ${now}, ${now}, ${now} + n
    FROM generate_series(1, ${rows}) AS n;
    INSERT INTO ${schema}.waits SELECT 'gen_' || n, 'p' FROM generate_series(1, ${rows / 10}) AS n;
    INSERT INTO ${schema}.uploads SELECT 'upload-' || n, 'owner-' || n % 1000, 1000, ${now} + n FROM generate_series(1, ${rows}) AS n;
    ANALYZE ${schema}.uploads; ANALYZE ${schema}.jobs; ANALYZE ${schema}.parts; ANALYZE ${schema}.costs; ANALYZE ${schema}.waits`)
}

test('no statement of postgresBackend reads a whole table of jobs, parts, costs, waits or uploads', async () => {
  const { pool, schema, backend } = nodeOn(url)
  await backend.ready?.()
  await fill(pool, schema)
  const client = await pool.connect()
  onTestFinished(() => client.release())
  // After five runs Postgres may plan a prepared statement without its values. This setting makes it do so at once.
  await client.query('SET plan_cache_mode = force_generic_plan')
  for (const name of statementNames.filter((each) => !rare.includes(each))) {
    await client.query(`PREPARE one AS ${sqlOf(name, schema)}`)
    const { rows: types } = await client.query(
      `SELECT parameter_types::text[] AS given FROM pg_prepared_statements`,
    )
    const values = (types[0].given as string[]).map(() => 'NULL').join(', ')
    const { rows: plan } = await client.query(`EXPLAIN EXECUTE one${values && `(${values})`}`)
    const read = plan.map((row) => String(row['QUERY PLAN'])).filter((line) => line.includes('Seq Scan'))
    expect(
      read.filter((line) => !/ on (processes|pg_)/.test(line)),
      name,
    ).toEqual([])
    await client.query('DEALLOCATE one')
  }
})
