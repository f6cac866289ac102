import {
  type Backend,
  checkClock,
  checkOptions,
  type Clock,
  optional,
  type OptionTable,
  systemClock,
  text,
  timerScheduler,
} from '@genmount/core'
import { jobDatabase } from './job-database.ts'
import { sqliteJobStore } from './sqlite-job-store.ts'
import { sqliteProcesses } from './sqlite-processes.ts'
import { sqliteSignals } from './sqlite-signals.ts'

/** The options of `sqliteBackend`. */
export interface SqliteBackendOptions {
  /**
   * The path of the database file. `ready()` or the first use opens the file, and creates it if it does not exist; its
   * folder must exist. Several processes of the same machine may share the file.
   */
  readonly file: string
  /**
   * The clock for the wake-ups of this process, and for its checks of what other processes have written.
   * @default `systemClock()`
   */
  readonly clock?: Clock | undefined
}

const table = {
  // SQLite would treat the texts that are refused here as a database in memory, which would lose its jobs.
  file: text('the path of a database file', (file) => file.trim() !== '' && !/^(:memory:|file:)/i.test(file)),
  clock: optional(checkClock),
} satisfies OptionTable<SqliteBackendOptions>

/**
 * Keeps jobs in a SQLite file, through `node:sqlite` of the runtime. A write that was acknowledged is on
 * disk: it survives a crash of the process and of the machine. If the database is locked for longer than 0.8
 * s (5 s for the call that opens it), can't be written or can't be opened, only the current call fails, and the
 * next call tries again.
 * @throws TypeError when an option is wrong, or `file` is not the path of a file, for example `':memory:'`
 * @example createGenerationService({ providers, backend: sqliteBackend({ file: 'jobs.db' }) })
 */
export function sqliteBackend(options: SqliteBackendOptions): Backend {
  const { file, clock = systemClock() } = checkOptions('sqliteBackend', options, table)
  const processId = crypto.randomUUID()
  const database = jobDatabase(file, processId)
  const scheduler = timerScheduler(clock)
  const signals = sqliteSignals(database, clock)
  return {
    jobs: sqliteJobStore(database),
    scheduler,
    signals,
    processes: sqliteProcesses(file, processId, database, clock),
    durable: true,
    ready: () => database.read(() => {}),
    async close() {
      await signals.close()
      await scheduler.stop()
      await database.close()
    },
  }
}
