import { describe, test } from 'vitest'
import { paidJobCases } from './paid-job-cases.ts'
import { postgresStores, sharedSqlite } from './shared-stores.ts'

describe.each([
  ['in a SQLite file', sharedSqlite],
  ['in a Postgres schema', await postgresStores()],
])('with jobs %s', (_store, openStore) => {
  for (const [title, run] of paidJobCases(openStore, 'that do not depend on the store'))
    test.concurrent(title, run)
})
