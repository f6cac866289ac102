import { test } from 'vitest'
import { postgresStores, sharedMemory, sharedSqlite } from './shared-stores.ts'
import { type OpenStore, type SimulatedWorld, startWorld, type WorldOptions } from './simulated-world.ts'

/** The databases that can keep the jobs. */
export const databases: readonly [name: string, openStore: OpenStore][] = [
  ['SQLite', sharedSqlite],
  ['Postgres', await postgresStores()],
]

/** Registers a test of what becomes of paid jobs. It gets a world with these options. */
export type PaidJobTest = (
  title: string,
  options: WorldOptions,
  run: (world: SimulatedWorld) => Promise<void>,
) => void

const testIn =
  (stores: typeof databases): PaidJobTest =>
  (title, options, run) =>
    test.concurrent.for(stores)(`${title} (jobs in %s)`, async ([, openStore]) => {
      const world = startWorld(openStore, options)
      try {
        await run(world)
      } finally {
        await world.close()
      }
    })

/** For what does not depend on the store. */
export const testInMemory = testIn([['memory', sharedMemory]])

/** For what depends on the store, for example because claims and news go through it. */
export const testInAllStores = testIn([['memory', sharedMemory], ...databases])

export const testInDatabases = testIn(databases)
