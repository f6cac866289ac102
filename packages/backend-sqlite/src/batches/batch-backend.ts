import { type Backend, type Clock, timerScheduler } from '@genmount/core'
import { batchDatabase } from './batch-database.ts'
import { batchJobStore } from './batch-job-store.ts'
import { batchSignals } from './batch-signals.ts'
import { databaseClock } from './database-clock.ts'
import type { RunBatch } from './batch.ts'

/** What a backend over batches works with. */
export interface BatchBackendContext {
  /** How errors name the database, such as `The D1 database`. */
  readonly name: string
  /** Runs a batch in the database. */
  readonly run: RunBatch
  /** Checks the schema, or brings it up to date. Several may run at the same time, also in other processes. */
  readonly openSchema: () => Promise<void>
  /** The clock of the host. */
  readonly clock: Clock
}

/**
 * Keeps jobs in a database that takes batches of SQLite's statements, for any number of processes and functions. It has no
 * `processes`: a function that is silent may be frozen or gone, and nobody can tell which.
 */
export function batchBackend({ name, run, openSchema, clock: host }: BatchBackendContext): Backend {
  const clock = databaseClock(host)
  const database = batchDatabase({ name, run, clock, host, openSchema })
  const scheduler = timerScheduler(clock)
  const signals = batchSignals(database, host)
  return {
    jobs: batchJobStore(database),
    scheduler,
    signals,
    clock,
    durable: true,
    ready: async () => void (await database.ask([], {})),
    async close() {
      await signals.close()
      await scheduler.stop()
      await database.close()
    },
  }
}
