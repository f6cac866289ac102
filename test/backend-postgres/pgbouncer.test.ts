// @module-tag needs/pgbouncer
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { startPgbouncer } from '../postgres/start-pgbouncer.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

type Node = ReturnType<typeof nodeOn>

test.concurrent('behind pgbouncer in transaction mode, postgresBackend passes the suites of jobs and signals', async ({
  onTestFinished,
}) => {
  const script = new URL('processes/suites.ts', import.meta.url)
  await suitesHoldOn('node', script, 'light', await startPgbouncer(url, onTestFinished), newSchema())
})

test.concurrent('behind pgbouncer in transaction mode, nodes take no locks, do not take each other for ended, and wake waiters within 3 s', async ({
  onTestFinished,
}) => {
  const through = await startPgbouncer(url, onTestFinished)
  const schema = newSchema()
  const nodes = [1, 2].map(() => nodeOn(through, schema, {}, onTestFinished))
  const [here, there] = nodes as [Node, Node]
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
