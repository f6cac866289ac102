import { sqliteJobStore } from '@genmount/backend-sqlite/statements'
import {
  accepts,
  type Backend,
  checkOptions,
  longestPauseMs,
  malformedJob,
  memorySignals,
  type OptionTable,
} from '@genmount/core'
import type { AdvanceMethods } from '@genmount/core/advance'
import { alarmScheduler } from './alarm-scheduler.ts'
import { objectAlarm } from './object-alarm.ts'
import { objectDatabase } from './object-database.ts'
import { objectProcesses } from './object-processes.ts'
import type { ObjectStorage } from './object-storage.ts'

/** The options of `durableObjectBackend`. */
export interface DurableObjectBackendOptions {
  /** `ctx.storage` of the object. Its class has the SQLite storage backend: it is one of `new_sqlite_classes`. */
  readonly storage: ObjectStorage
}

/** What `durableObjectBackend` makes. */
export interface DurableObjectBackend extends Backend {
  /**
   * What the object's `alarm()` does: takes the steps of jobs that are due, deletes what has expired, and sets the next alarm.
   * @param service the service over this backend, with the plugin `advance`
   * @param info what `alarm()` gets, so that alarms go on when one has failed 6 times
   * @throws the error of `service.advance`. The alarm comes again in a minute
   */
  alarm(service: AdvanceMethods, info?: { readonly retryCount: number }): Promise<void>
}

const table = {
  storage: accepts<ObjectStorage>(
    'ctx.storage of a class that is one of new_sqlite_classes',
    isObjectStorage,
  ),
} satisfies OptionTable<DurableObjectBackendOptions>

/** Bounds one alarm. Its steps go on afterwards; meanwhile the next alarm can wake other jobs. */
const request = { forMs: 5000, limit: 200 }
/** How long after its instant something that has expired is deleted, in milliseconds, so that one alarm deletes much. */
const expiryMs = 60_000

/**
 * Keeps the jobs of a service that lives inside a Durable Object in the object's own SQLite, and wakes them by its alarm. An
 * object without jobs in progress does nothing: no alarm, no timer, no read, until a job expires. Make it in the constructor of
 * the object, once.
 * @throws TypeError when an option is wrong, or the object's class has no SQLite storage
 * @example
 * const backend = durableObjectBackend({ storage: ctx.storage })
 * const service = createGenerationService({ providers, files, backend, plugins: [advance()] })
 */
export function durableObjectBackend(options: DurableObjectBackendOptions): DurableObjectBackend {
  const { storage } = checkOptions('durableObjectBackend', options, table)
  const database = objectDatabase(storage)
  const alarm = objectAlarm(storage, {
    due(after) {
      const dueAt = database.alarm().nextDue.get({ after })?.['at']
      // A job whose instant is further ahead is due already: the clock was put back.
      const storedAt = typeof dueAt === 'number' ? Math.min(dueAt, Date.now() + longestPauseMs) : undefined
      return Math.min(storedAt ?? Number.POSITIVE_INFINITY, scheduler.next())
    },
    expiry() {
      const at = database.alarm().nextExpiry.get()?.['at']
      return typeof at === 'number' ? Math.max(at, Date.now()) + expiryMs : Number.POSITIVE_INFINITY
    },
  })
  const processes = objectProcesses(database)
  const scheduler = alarmScheduler(alarm, () => void start())

  async function start(): Promise<void> {
    // A job in the middle of a step when the object was restarted continues at once.
    if ((await processes.leftBehind(1)).length > 0) alarm.by(Date.now())
    else await alarm.check()
  }

  const store = sqliteJobStore(database, ({ id, dueAt, claim }) => {
    if (dueAt !== undefined) return alarm.by(Math.max(dueAt, claim?.until ?? dueAt))
    scheduler.forget(id)
    alarm.rest()
  })

  return {
    jobs: {
      ...store,
      insert: (job, ...limits) => store.insert(job, ...limits).catch(refuseTooLong(job.id)),
      replace: (job, ...how) => store.replace(job, ...how).catch(refuseTooLong(job.id)),
    },
    scheduler,
    signals: memorySignals(),
    processes,
    durable: true,
    ready: () => database.read(() => {}),
    close: () => scheduler.stop(),
    alarm: (service, info) =>
      alarm.ring(info?.retryCount ?? 0, async () => {
        scheduler.wakeDue()
        return (await service.advance(request)).nextAt
      }),
  }
}

/** A text has at most 2 MB in an object. @throws an error after which the service does not try again */
function refuseTooLong(jobId: string): (fault: unknown) => never {
  return (fault) => {
    if (fault instanceof Error && fault.message.includes('SQLITE_TOOBIG'))
      throw malformedJob(jobId, 'its input is longer than a row of a Durable Object, which has 2 MB', fault)
    throw fault
  }
}

/** Without the SQLite storage backend, a Durable Object throws when `sql` is read. */
function isObjectStorage(storage: unknown): boolean {
  try {
    return typeof (storage as Partial<ObjectStorage> | undefined)?.sql?.exec === 'function'
  } catch {
    return false
  }
}
