import { describe, test } from 'vitest'
import { enduranceSuite } from './endurance-suite.ts'
import { postgresStores, sharedMemory, sharedSqlite } from './shared-stores.ts'

const stores = {
  memory: sharedMemory,
  'SQLite file': sharedSqlite,
  'Postgres schema': await postgresStores(),
}

/** Hours of a service's life are thousands of statements, one after the other, and each may wait on a loaded machine. */
const timeout = 120_000

describe.each(Object.entries(stores))('on jobs in a %s', (_name, openStore) => {
  for (const [name, run] of Object.entries(enduranceSuite(openStore))) test.concurrent(name, { timeout }, run)
})
