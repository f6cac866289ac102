import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type pg from 'pg'
import type { UsageQuery } from '@genmount/core'
import { type StatementName, sqlOf } from '../../packages/backend-postgres/src/postgres/statements.ts'
import { usageParameters } from '../../packages/backend-postgres/src/postgres/usage-rows.ts'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

const dayMs = 24 * 60 * 60_000
const from = Date.UTC(2026, 0, 1)

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** Ends of jobs of one owner over 100 days, by two models and two keys. */
const fill = (schema: string, count: number) => `
  INSERT INTO ${schema}.costs (job_id, owner, model, provider, outcome, cost_usd, created_at, ended_at, outputs, key_id)
  SELECT 'gen_' || n, 'alice', 'm' || n % 2, 'p', 'completed', 0.000001, 0, ${from} + n::bigint * ${(100 * dayMs) / count}, 1,
    'k' || n / 2 % 2
  FROM generate_series(0, ${count} - 1) AS n`

/** How many rows the scans of a statement look at. */
async function rowsRead(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...values])
  interface Plan {
    readonly 'Node Type': string
    readonly 'Actual Rows': number
    readonly 'Actual Loops': number
    readonly 'Rows Removed by Filter'?: number
    readonly Plans?: readonly Plan[]
  }
  const steps = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(steps)]
  return steps(rows[0]['QUERY PLAN'][0].Plan)
    .filter((step) => /Scan/.test(step['Node Type']) && !step.Plans)
    .reduce(
      (sum, step) =>
        sum + (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
      0,
    )
}

test('the first reader of many new entries merges the sums, and from then on a read looks at one row for each day, model and key', async () => {
  const { pool, schema, backend, jobs } = nodeOn(url)
  await backend.ready?.()
  await pool.query(fill(schema, 20_000))
  const client = await pool.connect()
  onTestFinished(() => client.release())
  const query = { owner: 'alice', from, to: from + 100 * dayMs, groupBy: [], limit: 100 } as const
  const reads = (other: Partial<UsageQuery> = {}, name: StatementName = 'usage') => {
    return rowsRead(client, sqlOf(name, schema), usageParameters({ ...query, ...other }))
  }
  expect(await reads()).toBe(20_000)
  const sums = {
    jobs: 20_000,
    failed: 0,
    outputs: 20_000,
    seconds: 0,
    spentMicroUsd: 20_000,
    unknownCosts: 0,
  }
  const before = await jobs.dailyUsage?.({ ...query, groupBy: ['day', 'model', 'keyId'], limit: 1000 })
  // As autovacuum does soon after: until then the index still leads to the rows that were merged.
  await pool.query(`VACUUM ${schema}.daily_usage`)
  expect(await reads()).toBe(400)
  expect(await jobs.dailyUsage?.(query)).toEqual([{ ...sums, reservedMicroUsd: 0 }])
  expect(await jobs.dailyUsage?.({ ...query, groupBy: ['day', 'model', 'keyId'], limit: 1000 })).toEqual(
    before,
  )
  expect(await reads({ to: from + 31 * dayMs })).toBe(31 * 4)
  expect(await reads({ owner: undefined }, 'usageOfAll')).toBe(400)
  // Half a day at either end is added up entry by entry: 100 of 200 entries.
  expect(await reads({ from: from + dayMs / 2, to: from + 31.5 * dayMs })).toBe(200 + 30 * 4)
})

test('sums are exact while readers merge them and jobs end', async () => {
  const { pool, schema, backend, jobs } = nodeOn(url)
  const other = nodeOn(url, schema).jobs
  await backend.ready?.()
  await pool.query(fill(schema, 5000))
  const query = { owner: 'alice', from: 0, to: from + 1000 * dayMs, groupBy: [], limit: 1 } as const
  const ended = { count: 5000 }
  async function read(store: typeof jobs): Promise<void> {
    for (let least = 0; ended.count < 6800;) {
      const atLeast = ended.count
      const [row] = (await store.dailyUsage?.(query)) ?? []
      expect(row?.jobs).toBeGreaterThanOrEqual(Math.max(least, atLeast))
      expect(row?.spentMicroUsd).toBe(row?.jobs)
      least = row?.jobs ?? 0
    }
  }
  async function end(): Promise<void> {
    for (let round = 0; round < 6; round++) {
      const ends = Array.from({ length: 300 }, (_, index) => index).map(async (index) => {
        const id = `job-${round}-${index}`
        const completedAt = from + (index % 10) * dayMs
        await jobs.insert(exampleJob({ id }))
        const paid = { costUsd: 0.000001, isCostKnown: true, completedAt } as const
        const { input: _task, ...done } = exampleJob({ id, phase: 'completed', revision: 2, ...paid })
        await jobs.replace(done, 1)
        ended.count++
      })
      await Promise.all(ends)
    }
  }
  await Promise.all([end(), read(jobs), read(other), read(other)])
  expect(ended.count).toBe(6800)
  expect((await jobs.dailyUsage?.(query))?.[0]).toMatchObject({ jobs: 6800, spentMicroUsd: 6800 })
})
