import { beforeAll, expect, test } from 'vitest'
import { longestPauseMs } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const start = exampleJob().createdAt

/** A job whose column stays at its first instant while it becomes due later, step by step. */
async function jobDueAt(...instants: number[]) {
  const node = nodeOn(url)
  const [first = 0, ...later] = instants
  await node.jobs.insert(exampleJob({ dueAt: first }))
  let revision = 1
  for (const dueAt of later)
    expect(await node.jobs.replace(exampleJob({ dueAt, revision: revision + 1 }), revision++)).toBe(
      'replaced',
    )
  const { rows } = await node.pool.query(`SELECT due_at FROM ${node.schema}.jobs`)
  return { ...node, revision, column: Number(rows[0].due_at) }
}

test('the column due_at of a job in Postgres changes only when the job becomes due earlier or seconds later', async () => {
  expect((await jobDueAt(start, start + 1000, start + 4000)).column).toBe(start)
  expect((await jobDueAt(start, start + 4001)).column).toBe(start + 4001)
  expect((await jobDueAt(start, start + 1000, start - 1)).column).toBe(start - 1)
})

test('a job in Postgres is due at its own instant, not at that of the column', async () => {
  const { jobs } = await jobDueAt(start, start + 1000, start + 4000)
  expect(await jobs.due(start + 3999, 10)).toEqual([])
  expect(await jobs.due(start + 4000, 10)).toEqual(['job-1'])
})

test('a job in Postgres counts as due when its own instant lies further ahead than any pause', async () => {
  const { jobs } = await jobDueAt(start, start + 3000)
  expect(await jobs.due(start + 3000 - longestPauseMs, 10)).toEqual([])
  expect(await jobs.due(start + 2999 - longestPauseMs, 10)).toEqual(['job-1'])
})

test('a job that a node of the release before has written is due when that node says', async () => {
  const { jobs, pool, schema, revision } = await jobDueAt(start, start + 3000)
  // That release wrote the fields in another order, and the column as it is in the job.
  const { id, ...rest } = exampleJob({ dueAt: start + 1500, revision: revision + 1 })
  await pool.query(`UPDATE ${schema}.jobs SET due_at = $1, revision = $2, job = $3`, [
    start + 1500,
    revision + 1,
    JSON.stringify({ id, ...rest }),
  ])
  expect(await jobs.due(start + 1499, 10)).toEqual([])
  expect(await jobs.due(start + 1500, 10)).toEqual(['job-1'])
})

test('steps of a job within seconds are HOT updates of Postgres', async () => {
  const { jobs, pool, schema } = nodeOn(url)
  await jobs.insert(exampleJob({ dueAt: start }))
  for (let step = 1; step <= 3; step++)
    await jobs.replace(exampleJob({ dueAt: start + step * 1000, revision: step + 1 }), step)
  const read = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await pool.query(
      `SELECT sum(n_tup_hot_upd) AS hot, sum(n_tup_upd) AS updates FROM pg_stat_user_tables WHERE relid = '${schema}.jobs'::regclass`,
    )
    return { hot: Number(rows[0].hot), updates: Number(rows[0].updates) }
  }
  // Each connection tells its counts a second after its last statement at the latest, or when it ends.
  await expect.poll(read, { timeout: 15_000 }).toEqual({ hot: 3, updates: 3 })
})
