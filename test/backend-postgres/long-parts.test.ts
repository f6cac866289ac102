import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { costEntryOf, type Job, type JobStore } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

// Random, because Postgres compresses what repeats.
const longText = (length: number) =>
  Array.from({ length: length / 32 }, () => crypto.randomUUID().replaceAll('-', '')).join('')

function twoNodes(options?: { readonly max: number }) {
  const schema = newSchema()
  const [here, there] = [nodeOn(url, schema, options), nodeOn(url, schema, options)]
  const count = async () =>
    Number((await here.pool.query(`SELECT count(*) FROM ${schema}.parts`)).rows[0].count)
  return { here, there, count }
}

async function step(jobs: JobStore, id: string, changes: Partial<Job>): Promise<void> {
  const job = (await jobs.get(id)) as Job
  expect(await jobs.replace({ ...job, ...changes, revision: job.revision + 1 }, job.revision)).toBe(
    'replaced',
  )
}

/** How many bytes the connections of these pools, one each, have written to the log of the server so far. */
async function written(...pools: readonly pg.Pool[]): Promise<number> {
  const bytes = pools.map(async (pool) => {
    await pool.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await pool.query('SELECT wal_bytes FROM pg_stat_get_backend_wal(pg_backend_pid())')
    return Number(rows[0].wal_bytes)
  })
  return (await Promise.all(bytes)).reduce((sum, each) => sum + each, 0)
}

test('steps of a job do not write its long task and long input to Postgres again, on any node', async () => {
  const { here, there } = twoNodes({ max: 1 })
  const task = { image: longText(1_000_000) }
  await here.jobs.insert(exampleJob({ input: task, shownInput: { prompt: longText(100_000) } }))
  for (const { jobs } of [here, there]) await step(jobs, 'job-1', { attempts: 1 })
  await here.pool.query('CHECKPOINT')
  await step(here.jobs, 'job-1', { attempts: 2 })
  const before = await written(here.pool, there.pool)
  expect(before).toBeGreaterThan(1_000_000)
  for (const { jobs } of [here, there, here, there]) await step(jobs, 'job-1', { attempts: 3 })
  expect((await written(here.pool, there.pool)) - before).toBeLessThan(100_000)
})

test('a long task is deleted from Postgres with the end of its job, and a long input with the deletion', async () => {
  const { here, there, count } = twoNodes()
  const [task, input] = [{ a: longText(3200) }, { b: longText(3200) }]
  const read = async () => (await there.jobs.get('job-1')) as Job
  await here.jobs.insert(exampleJob({ input: task, shownInput: input }))
  await step(there.jobs, 'job-1', { phase: 'running' })
  expect(await count()).toBe(2)
  const { input: _task, ...completed } = { ...(await read()), phase: 'completed', revision: 3 } as const
  expect(await there.jobs.replace(completed, 2)).toBe('replaced')
  expect(await here.jobs.get('job-1')).toEqual({ ...completed, shownInput: input })
  expect(await count()).toBe(1)
  await step(there.jobs, 'job-1', { shownInput: {}, deletedAt: 1 })
  expect(await here.jobs.get('job-1')).toMatchObject({ shownInput: {}, deletedAt: 1 })
  expect(await count()).toBe(0)
})

test('a stale replace deletes no part, and delete deletes all parts of a job', async () => {
  const { here, there, count } = twoNodes()
  const job = exampleJob({ input: { a: longText(3200) }, shownInput: { b: longText(3200) } })
  await here.jobs.insert(job)
  expect(await there.jobs.replace({ ...job, phase: 'completed', revision: 3 }, 2)).toBe('stale')
  expect(await here.jobs.get('job-1')).toEqual(job)
  expect(await count()).toBe(2)
  await there.jobs.delete('job-1')
  expect(await count()).toBe(0)
})

test('a job that is refused as a duplicate leaves no part in Postgres', async () => {
  const { here, there, count } = twoNodes()
  const idempotency = { key: 'key', fingerprint: 'f' }
  await here.jobs.insert(exampleJob({ idempotency }))
  const late = exampleJob({ id: 'late', idempotency, input: { a: longText(3200) } })
  expect(await there.jobs.insert(late)).toMatchObject({ outcome: 'duplicate', job: { id: 'job-1' } })
  expect(await count()).toBe(0)
})

test("ids, owners and keys with NUL or half a surrogate pair, which Postgres can't store as text, are kept", async () => {
  const { here } = twoNodes()
  for (const odd of ['nul \0', 'half \ud83e', '\u0001json:plain']) {
    const id = `job of ${odd}`
    const job = exampleJob({
      id,
      owner: odd,
      model: odd,
      provider: odd,
      idempotency: { key: odd, fingerprint: 'f' },
    })
    await here.jobs.insert(job)
    expect(await here.jobs.get(id, odd)).toEqual(job)
    expect(await here.jobs.due(job.createdAt, 10)).toEqual([id])
    expect(await here.jobs.findByIdempotencyKey(odd, job.createdAt)).toEqual(job)
    const {
      dueAt: _dueAt,
      input: _task,
      ...ended
    } = { ...job, phase: 'completed', completedAt: 1, revision: 2 } as const
    expect(await here.jobs.replace(ended, 1)).toBe('replaced')
    expect(await here.jobs.costs?.({ owner: odd, from: 0, to: 2, limit: 9 })).toEqual([costEntryOf(ended)])
  }
})
