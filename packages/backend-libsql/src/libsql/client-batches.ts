import type { Row, RunBatch } from '@genmount/backend-sqlite/batches'
import pRetry from 'p-retry'
import type { LibsqlClient } from './libsql-client.ts'

/** For how long to try again while another transaction holds the lock of the database, in milliseconds. */
const busyMs = 5000

/** Nothing was written: another transaction held the lock. */
const isBusy = (error: unknown) =>
  String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

/** Runs batches by a client. A batch that only reads takes no lock from those that write. */
export function clientBatches(client: LibsqlClient): RunBatch {
  return async (statements) => {
    const mode = statements.every(({ sql }) => sql.startsWith('SELECT')) ? 'read' : 'write'
    const attempt = () => client.batch([...statements], mode)
    const results = await pRetry(attempt, {
      shouldRetry: ({ error }) => isBusy(error),
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: busyMs,
      minTimeout: 5,
      maxTimeout: 50,
      randomize: true,
    })
    return results.map(({ rows }) => rows as readonly Row[])
  }
}
