// @module-tag needs/pgbouncer
import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { startPgbouncer } from '../postgres/start-pgbouncer.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

test('behind pgbouncer in transaction mode, postgresBackend passes the whole suites of jobs and signals, thousands of jobs included', async () => {
  const url = await startPgbouncer(await databaseOfFile())
  const script = new URL('processes/suites.ts', import.meta.url)
  await suitesHoldOn('node', script, 'all', url, newSchema())
})
