import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { longestPauseMs } from '@genmount/core'
import { type StatementName, sqlOf } from '../../packages/backend-postgres/src/postgres/statements.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const last = 100_000
const ids = `'gen_' || lpad(n::text, 6, '0')`
/** 100,000 jobs of one owner. Half of them run, and have their next steps one by one from the instant 1 on. */
const fill = (schema: string) => `
  INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, delete_at, idempotency_key, job)
  SELECT ${ids}, 'alice', CASE WHEN n % 2 = 0 THEN 'running' ELSE 'completed' END, 1,
    CASE WHEN n % 2 = 0 THEN n END, n, CASE WHEN n % 2 = 1 THEN n END, 'key-' || n, '{}'
  FROM generate_series(1, ${last}) AS n;
  INSERT INTO ${schema}.costs SELECT ${ids}, 'alice', 'm', 'p', 'completed', 1, 0, 0, n
  FROM generate_series(1, ${last}) AS n`

test('each query for some of 100,000 jobs of one owner, or of their costs, reads few pages of the tables from Postgres', async () => {
  const { pool, schema, backend } = nodeOn(url)
  await backend.ready?.()
  await pool.query(fill(schema))
  await pool.query(`VACUUM ANALYZE ${schema}.jobs, ${schema}.costs`)
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  // After five runs Postgres may plan a prepared statement without its values. This setting makes it do so at once.
  await client.query('SET plan_cache_mode = force_generic_plan')

  /** How many rows a query finds, and how many pages of 8 kB Postgres reads for it. */
  async function runOf(name: StatementName, values: readonly unknown[]) {
    await client.query(`PREPARE one AS ${sqlOf(name, schema)}`)
    const texts = values.map((value) => (value === null ? 'NULL' : `'${String(value)}'`)).join(', ')
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE one (${texts})`)
    await client.query('DEALLOCATE one')
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    return { rows: plan['Actual Rows'], pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
  }

  const page = [1, 2 * last]
  const queries: readonly [name: StatementName, rows: number, ...values: unknown[]][] = [
    ['get', 1, null, null, 'gen_050000', 'alice'],
    ['holderOfKey', 1, null, null, 'key-50000', 1],
    ['due', 0, 1, 1 + longestPauseMs, 100, 0],
    ['due', 100, 50_000, 50_000 + longestPauseMs, 100, 0],
    ['due', 100, -last - longestPauseMs, -last, 100, 0],
    ['expired', 0, null, null, 0, 100],
    ['expired', 100, null, null, 50_000, 100],
    ['unfinished', 100, 'alice', 100],
    ['costs', 100, ...page, 1, '', 100, 'alice'],
    ['costs', 100, ...page, 90_000, 'gen_090000', 100, 'alice'],
    ['costsOfAll', 100, ...page, 1, '', 100],
    ['costsOfAll', 100, ...page, 90_000, 'gen_090000', 100],
  ]
  for (const [name, count, ...values] of queries) {
    const { rows, pages } = await runOf(name, values)
    expect(rows, name).toBe(count)
    expect(pages, name).toBeLessThan(50)
  }
})
