import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresBackend, type PostgresPool, type PostgresStatement } from '@genmount/backend-postgres'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

let pool: pg.Pool
const schema = newSchema()
const asked: PostgresStatement[] = []

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await databaseOfFile() })
})
afterAll(() => pool.end())

/** The pool, with a record of all statements. */
function recordingPool(): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect()
      return new Proxy(client, {
        get(target, name) {
          if (name === 'query')
            return (statement: PostgresStatement) => (
              asked.push(statement),
              target.query(statement as pg.QueryConfig)
            )
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }) as never
    },
  }
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]

test('a page of a list of 100,000 jobs reads only the rows of that page from Postgres, wherever the page begins', async () => {
  const { jobs, close } = postgresBackend({ pool: recordingPool(), schema })
  onTestFinished(close)
  await jobs.insert(exampleJob({ id: 'job-x' }))
  await pool.query(`
    INSERT INTO ${schema}.jobs (id, owner, phase, revision, expires_at, job)
    SELECT 'job-' || lpad(n::text, 6, '0'), CASE WHEN n % 10000 = 0 THEN 'rare' ELSE 'owner-' || n % 3 END, 'completed', 1, 0, '{"id":"job"}'
    FROM generate_series(1, 100000) AS n`)
  await pool.query(`ANALYZE ${schema}.jobs`)
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  // With this setting Postgres makes one plan for all owners, as for an owner with many jobs.
  await client.query('SET plan_cache_mode = force_generic_plan')
  for (const [owner, before] of [
    ['owner-1', undefined],
    ['owner-1', 'job-050000'],
    ['rare', undefined],
  ] as const) {
    await jobs.list?.({ owner, before, limit: 21, maxLength: 1_000_000 })
    // A beat of the process may have been sent since.
    const { text, values } = asked.findLast((statement) => statement.values?.includes(owner))!
    const name = `list_${owner}_${before}`.replaceAll('-', '_')
    await client.query(`PREPARE ${name} AS ${text}`)
    const given = (values as unknown[]).map((value) => pg.escapeLiteral(String(value))).join(', ')
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name} (${given})`)
    const steps = stepsOf(rows[0]['QUERY PLAN'][0].Plan)
    const readers = steps.filter((step) => /^(?!Subquery).*Scan/.test(step['Node Type']))
    expect(readers.map((step) => step['Index Name'])).toContain('jobs_of_owner')
    for (const step of readers)
      expect(step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(21)
    expect(steps.filter((step) => step['Node Type'] === 'Sort')).toEqual([])
  }
})
