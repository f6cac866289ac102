import { expect, test } from 'vitest'
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

/** For what depends on whether the store can tell which processes live. */
export const testInSqlite = testIn(databases.slice(0, 1))

/**
 * Waits until the job has completed. Fails if its task was not paid for exactly once, or if the job shows
 * another cost.
 */
export async function expectDelivery(world: SimulatedWorld, id: string, limitMs = 600_000): Promise<void> {
  await world.passUntil(async () => (await world.job(id)).phase === 'completed', limitMs, 1000)
  const { phase, error, costUsd, outputs } = await world.job(id)
  const paid = world.vendor.ledger.filter(({ jobId }) => jobId === id)
  expect({ phase, error: error?.code, payments: paid.length }).toEqual({
    phase: 'completed',
    error: undefined,
    payments: 1,
  })
  expect(costUsd).toBe(paid[0]?.costUsd)
  expect(outputs.length).toBeGreaterThan(0)
}
