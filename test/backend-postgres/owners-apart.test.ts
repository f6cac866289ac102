import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const budget = { from: 0, costsFrom: 0, mostMicroUsd: 5_000_000 }

test('while one owner’s budget is added up without end, creates of 19 other owners with budgets do not wait for it', async () => {
  // As many connections as owners, so that the owner who waits takes none from the others.
  const { pool, schema, backend, jobs } = nodeOn(url, undefined, { max: 22 })
  await backend.ready?.()
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('BEGIN')
  await holder.query(`SELECT ${schema}.locked_taken('owner-0', '[]')`)
  const outcomes = new Map<string, string>()
  const insert = async (owner: string) => {
    const job = exampleJob({ id: `job of ${owner}`, owner, reservedUsd: 3 })
    const { outcome } = await jobs.insert(job, undefined, [budget])
    outcomes.set(owner, outcome)
  }
  const owners = Array.from({ length: 20 }, (_, number) => `owner-${number}`)
  const inserts = owners.map(insert)
  await vi.waitFor(() => expect(outcomes.size).toBe(19), { timeout: 20_000 })
  expect(new Set(outcomes.values())).toEqual(new Set(['inserted']))
  expect(outcomes.has('owner-0')).toBe(false)
  await holder.query('ROLLBACK')
  await Promise.all(inserts)
  expect(outcomes.get('owner-0')).toBe('inserted')
})
