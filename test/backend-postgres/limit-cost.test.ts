import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type StatementName, sqlOf } from '../../packages/backend-postgres/src/postgres/statements.ts'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]

/** 100,000 jobs of three owners, and a few of a fourth. One job of 10,000 is unfinished, and half of the others have files. */
const fill = (schema: string) => `
  INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, delete_at, stored_bytes, job)
  SELECT 'job-' || n, CASE WHEN n % 20000 < 2 THEN 'rare' ELSE 'owner-' || n % 3 END,
    CASE WHEN n % 10000 = 0 THEN 'running' ELSE 'completed' END, 1, CASE WHEN n % 10000 = 0 THEN n END, 1000 + n,
    CASE WHEN n % 10000 <> 0 THEN 1000 + n END, CASE WHEN n % 2 = 1 THEN 10 END, '{}'
  FROM generate_series(1, 100000) AS n`

test("limits read only the unfinished jobs of an owner, and the owner's bytes from one index", async () => {
  const { pool, schema, backend } = nodeOn(url)
  await backend.ready?.()
  await pool.query(fill(schema))
  await pool.query(
    `INSERT INTO ${schema}.uploads SELECT 'key-' || n, 'owner-' || n % 3, 10, 1000 + n FROM generate_series(1, 20000) AS n`,
  )
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  // After five runs Postgres may plan a prepared statement without its values. This setting makes it do so at once.
  await client.query('SET plan_cache_mode = force_generic_plan')
  let count = 0
  async function stepsFor(name: StatementName, values: string): Promise<readonly Plan[]> {
    const prepared = `${name}_${count++}`
    await client.query(`PREPARE ${prepared} AS ${sqlOf(name, schema)}`)
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${prepared} (${values})`)
    return stepsOf(rows[0]['QUERY PLAN'][0].Plan).filter((step) => step['Node Type'].includes('Scan'))
  }
  // Postgres collects its statistics late, so the plans must be right without them after many jobs were inserted.
  for (const analyse of [false, true]) {
    if (analyse) await pool.query(`VACUUM ANALYZE ${schema}.jobs, ${schema}.uploads`)
    for (const owner of ['owner-1', 'rare', 'nobody']) {
      const unfinished = await stepsFor('unfinished', `'${owner}', 100`)
      expect(unfinished.map((step) => step['Index Name'])).toContain('jobs_unfinished')
      for (const step of unfinished)
        expect(step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(10)
      const bytes = await stepsFor('storedBytes', `'${owner}', 1000`)
      expect(bytes.map((step) => step['Index Name'])).toContain('jobs_stored')
      expect(bytes.map((step) => step['Index Name'])).toContain('uploads_of_owner')
      for (const step of bytes) expect(step['Rows Removed by Filter'] ?? 0).toBe(0)
    }
  }
  expect((await stepsFor('storedBytes', `'owner-1', 1000`)).map((step) => step['Node Type'])).toEqual([
    'Index Only Scan',
    'Index Only Scan',
  ])
})

test('a write of a job between the first and the last touches no index unless dueAt changes', async () => {
  const { pool, schema, backend, jobs } = nodeOn(url)
  await backend.ready?.()
  await jobs.insert(exampleJob())
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query(
    `UPDATE ${schema}.jobs SET phase = 'collecting', revision = 2, claimed_until = 5, claimed_by = 'me',
      stored_bytes = NULL, job = '{}'`,
  )
  const { rows } = await client.query(
    `SELECT pg_stat_get_xact_tuples_hot_updated('${schema}.jobs'::regclass)::int AS hot`,
  )
  await client.query('ROLLBACK')
  expect(rows).toEqual([{ hot: 1 }])
})
