// @module-tag needs/pgbouncer
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Job } from '@genmount/core'
import { postgresBackend } from '@genmount/backend-postgres'
import { exampleJob, jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import { startPgbouncer } from '../postgres/start-pgbouncer.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

test('behind pgbouncer in transaction mode the suites of jobs and signals pass, also when connections change hands', async () => {
  const pool = new pg.Pool({ connectionString: await startPgbouncer(url), max: 8 })
  const make = (schema = newSchema()) => postgresBackend({ pool, schema })
  const suites = [
    jobStoreSuite(() => {
      const { jobs, close } = make()
      return { store: jobs, close }
    }),
    jobSignalsSuite(() => {
      const { signals, close } = make()
      return { signals, close }
    }),
  ]
  const failing: string[] = []
  for (const suite of suites)
    for (const [name, run] of Object.entries(suite))
      await run().catch((error: unknown) => failing.push(`${name}: ${error}`))
  await pool.end()
  expect(failing).toEqual([])
})

test('behind pgbouncer in transaction mode nodes leave no lock with other connections, do not take each other for ended, and wake whoever waits within 3 s', async () => {
  const through = await startPgbouncer(url)
  const schema = newSchema()
  const nodes = [nodeOn(through, schema), nodeOn(through, schema)] as const
  const [here, there] = nodes
  for (const { backend } of nodes) await backend.ready?.()
  const direct = new pg.Pool({ connectionString: url })
  onTestFinished(() => direct.end())
  await new Promise((resolve) => setTimeout(resolve, 6500))
  expect(await locksOf(direct, schema)).toBe(0)
  expect(await here.processes.hasEnded(there.processes.id)).toBe(false)

  await there.jobs.insert(exampleJob())
  let wakes = 0
  here.signals.subscribe('job-1', () => wakes++)
  await new Promise((resolve) => setTimeout(resolve, 200))
  wakes = 0
  const job = (await there.jobs.get('job-1')) as Job
  expect(await there.jobs.replace({ ...job, revision: 2 }, 1)).toBe('replaced')
  expect(await until(() => wakes > 0, 5000)).toBeLessThan(3000)
})
