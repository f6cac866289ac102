import { type Backend, type Clock, systemClock, timerScheduler } from '@genmount/core'
import { jobDatabase } from './job-database.ts'
import { sqliteJobStore } from './sqlite-job-store.ts'
import { sqliteProcesses } from './sqlite-processes.ts'
import { sqliteSignals } from './sqlite-signals.ts'

export interface SqliteBackendOptions {
  /**
   * Path of the database file, which is made when it is not there; its folder must be. It is opened at first use.
   * Several processes of one machine may share the file.
   */
  readonly file: string
  /** Times this process's wake-ups and its looks at what the others have written. @default `systemClock()` */
  readonly clock?: Clock | undefined
}

/**
 * Keeps jobs in a SQLite file, through the runtime's own `node:sqlite`. What has been acknowledged is on disk: it
 * survives a crash of the process and of the machine. A database that is locked for longer than 0.8 s, can't be written
 * or can't be opened is a fault of the single call, and the next call tries again.
 * @throws TypeError when `file` is not a path
 * @example createGenerationService({ providers, backend: sqliteBackend({ file: 'jobs.db' }) })
 */
export function sqliteBackend({ file, clock = systemClock() }: SqliteBackendOptions): Backend {
  const processId = crypto.randomUUID()
  const database = jobDatabase(checkPath(file), processId)
  const scheduler = timerScheduler(clock)
  const signals = sqliteSignals(database, clock)
  return {
    jobs: sqliteJobStore(database),
    scheduler,
    signals,
    processes: sqliteProcesses(file, processId, database, clock),
    durable: true,
    async close() {
      signals.stop()
      await scheduler.stop()
      await database.close()
    },
  }
}

/** SQLite takes some strings for a database in memory, which would forget what was promised. */
function checkPath(file: unknown): string {
  if (typeof file === 'string' && file.trim() !== '' && !/^(:memory:|file:)/i.test(file)) return file
  throw new TypeError(`file must be the path of a database file, not ${JSON.stringify(file)}.`)
}
