import { describe, test } from 'vitest'
import { paidJobCases } from './paid-job-cases.ts'
import { postgresStores, sharedMemory, sharedSqlite } from './shared-stores.ts'

describe.each([
  ['in memory', sharedMemory, 'all'],
  ['in a SQLite file', sharedSqlite, 'that depend on the store'],
  ['in a Postgres schema', await postgresStores(), 'that depend on the store'],
] as const)('with jobs %s', (_store, openStore, which) => {
  for (const [title, run] of paidJobCases(openStore, which)) test.concurrent(title, run)
})
