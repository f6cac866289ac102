import {
  type Backend,
  checkClock,
  checkOptions,
  choice,
  type Clock,
  type JobSignals,
  optional,
  type OptionTable,
  type Scheduler,
  systemClock,
  schedulerFor,
  timerScheduler,
} from '@genmount/core'
import { checkPool, checkScheduler, checkSignals } from './check-parts.ts'
import { databaseClock } from './database-clock.ts'
import { heartbeat } from './heartbeat.ts'
import { heldClaims } from './held-claims.ts'
import { jobDatabase } from './job-database.ts'
import { postgresJobStore } from './postgres-job-store.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { postgresProcesses } from './postgres-processes.ts'
import { postgresSignals } from './postgres-signals.ts'
import { checkSchemaName } from './schema-name.ts'
import { keepSession } from './session.ts'

/** The options of `postgresBackend`. */
export interface PostgresBackendOptions {
  /**
   * Connections to the database: a `Pool` of `pg`, or anything with its functions. The backend keeps one of its
   * connections for itself while it is open. It does not end the pool: end it after the service has closed.
   */
  readonly pool: PostgresPool
  /**
   * The Postgres schema for the tables: at most 40 small letters, digits and underscores. Services with different
   * schemas share nothing. @default 'genmount'
   */
  readonly schema?: string | undefined
  /**
   * What to do about the schema when the backend opens. `'auto'` creates it and brings it up to date, `'check'` refuses
   * a schema that is too old, and `false` does not check it.
   * @default 'auto'
   */
  readonly migrate?: 'auto' | 'check' | false | undefined
  /** Wakes jobs when they are due, by the clock of the machine or that of the option `clock`. @default timers in this process */
  readonly scheduler?: Scheduler | undefined
  /** Tells waiting requests that their jobs have changed. @default notifications of Postgres (LISTEN and NOTIFY) */
  readonly signals?: JobSignals | undefined
  /**
   * The clock for timers. The time of day comes from the database, so that all nodes agree.
   * @default `systemClock()`
   */
  readonly clock?: Clock | undefined
}

const table = {
  pool: checkPool,
  schema: checkSchemaName,
  migrate: optional((name: string, value: unknown) =>
    value === false ? false : choice('auto', 'check')(name, value),
  ),
  scheduler: optional(checkScheduler),
  signals: optional(checkSignals),
  clock: optional(checkClock),
} satisfies OptionTable<PostgresBackendOptions>

/**
 * Keeps jobs in a Postgres database, for any number of processes on any number of machines. `ready()` or the first use
 * opens it. A write that was acknowledged is as durable as a commit of that server. When the database does not answer,
 * only the current call fails, and the next call tries again.
 * @throws TypeError when an option is wrong
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * createGenerationService({ providers, backend: postgresBackend({ pool }) })
 */
export function postgresBackend(options: PostgresBackendOptions): Backend {
  const checked = checkOptions('postgresBackend', options, table)
  const { pool, schema = 'genmount', migrate = 'auto', clock: host = systemClock() } = checked
  // Each claim has the id, so it is short: the 80 random bits at both ends of a UUID.
  const processId = crypto.randomUUID().replace(/-.*-/, '')
  const clock = databaseClock(host, () => heart.doubt())
  const claims = heldClaims(processId)
  const onOpen = () => heart.start()
  const onUse = () => heart.wake()
  const mayPrepare = () => session.isDirect()
  const database = jobDatabase({
    pool,
    schema,
    migrate,
    clock: host,
    onTime: clock.read,
    mayPrepare,
    onOpen,
    onUse,
  })
  const own = checked.signals ? undefined : postgresSignals(database, processId, host)
  const session = keepSession({
    pool,
    schema,
    clock: host,
    isResting: () => heart.isResting(),
    onNotification: (payload) => own?.hear(payload),
    onReconnect() {
      own?.lookSoon()
      // Other processes read from the beats whether this process has a session.
      heart.beatNow()
    },
  })
  const holdsClaims = () => claims.any(clock.now())
  const heart = heartbeat({ processId, database, session, host, holdsClaims })
  const scheduler = checked.scheduler ? schedulerFor(clock, checked.scheduler, host) : timerScheduler(clock)
  return {
    jobs: postgresJobStore(database, processId, claims, (id, revision) => own?.saw(id, revision)),
    scheduler,
    signals: checked.signals ?? own!,
    processes: postgresProcesses(processId, database, heart, clock),
    clock,
    durable: true,
    ready: () => database.open(),
    async close() {
      await own?.close()
      await scheduler.stop()
      heart.stop()
      await database.close()
      await database.runAtOnce('leave', [processId]).catch(() => {})
      session.close()
    },
  }
}
