import { describe, test } from 'vitest'
import { enduranceSuite } from './endurance-suite.ts'
import { postgresStores, sharedMemory, sharedSqlite } from './shared-stores.ts'

const stores = {
  memory: sharedMemory,
  'SQLite file': sharedSqlite,
  'Postgres schema': await postgresStores(),
}

describe.each(Object.entries(stores))('on jobs in a %s', (_name, openStore) => {
  for (const [name, run] of Object.entries(enduranceSuite(openStore))) test.concurrent(name, run)
})
