// @module-tag needs/pgbouncer
import { expect, onTestFinished, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { failuresBehindPgbouncer } from './failures-behind-pgbouncer.ts'

test('behind pgbouncer in transaction mode, postgresBackend passes the whole suites of jobs and signals, thousands of jobs included', async () => {
  const all = (titles: readonly string[]) => titles
  expect(await failuresBehindPgbouncer(await databaseOfFile(), all, onTestFinished)).toEqual([])
})
