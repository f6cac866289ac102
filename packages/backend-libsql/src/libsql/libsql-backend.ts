import { batchBackend, migrateSchema } from '@genmount/backend-sqlite/batches'
import {
  accepts,
  type Backend,
  checkClock,
  checkOptions,
  type Clock,
  optional,
  type OptionTable,
  systemClock,
} from '@genmount/core'
import { clientBatches } from './client-batches.ts'
import type { LibsqlClient } from './libsql-client.ts'

/** The options of `libsqlBackend`. */
export interface LibsqlBackendOptions {
  /**
   * A client of `@libsql/client`, or of `@libsql/client/web` where only fetch is there. Its database is that of the jobs alone.
   * The backend does not close the client: close it after the service has closed.
   */
  readonly client: LibsqlClient
  /**
   * The clock for the timers of this process. The time of day comes from the database, so that all functions agree.
   * @default `systemClock()`
   */
  readonly clock?: Clock | undefined
}

const table = {
  client: accepts<LibsqlClient>(
    'a client such as createClient() of @libsql/client',
    (client) => typeof (client as LibsqlClient | null | undefined)?.batch === 'function',
  ),
  clock: optional(checkClock),
} satisfies OptionTable<LibsqlBackendOptions>

/**
 * Keeps jobs in a database of Turso, of another libSQL server or in a file of libSQL, for any number of processes and functions.
 * `ready()` or the first use creates the tables, or brings them up to date. A write that was acknowledged is as durable as a
 * commit of that database. When the database does not answer, only the current call fails, and the next call tries again.
 * @throws TypeError when an option is wrong
 * @example
 * const client = createClient({ url: process.env.TURSO_DATABASE_URL, authToken: process.env.TURSO_AUTH_TOKEN })
 * createGenerationService({ providers, plugins: [advance()], backend: libsqlBackend({ client }) })
 */
export function libsqlBackend(options: LibsqlBackendOptions): Backend {
  const { client, clock = systemClock() } = checkOptions('libsqlBackend', options, table)
  const run = clientBatches(client)
  return batchBackend({ name: 'The libSQL database', run, openSchema: () => migrateSchema(run), clock })
}
