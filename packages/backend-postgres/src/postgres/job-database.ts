import type { Clock } from '@genmount/core'
import { askPool, guardPool, usePool } from './ask-pool.ts'
import type { DatabaseClock } from './database-clock.ts'
import { migrateSchema } from './migrate-schema.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { sqlOf, type StatementName } from './statements.ts'
import { unusableDatabase } from './unusable-database.ts'
import { type JobWrite, writeQueue } from './write-queue.ts'

/** How long one statement may take, including the wait for a connection, in milliseconds. */
const statementLimitMs = 9000
/** How long the migrations may take, in milliseconds. */
const migrationLimitMs = 10 * 60_000

/** Another transaction has caused a rollback, so the same transaction may be tried again. */
const isUndone = (error: unknown) => /^(40001|40P01)$/.test(String((error as { code?: unknown }).code))
const maxTries = 4

export type Row = Record<string, unknown>

/** The database of jobs. The first call opens it; a later call tries again if that has failed. */
export interface JobDatabase {
  /**
   * Runs a statement, once the database is open.
   * @throws Error for the operator, whose cause is the error of the pool
   */
  run(name: StatementName, values: unknown[]): Promise<readonly Row[]>
  /**
   * Makes a write, together with others of this process.
   * @returns whether the job was written; `false` when the stored job has another revision
   * @throws like `run`
   */
  write(write: JobWrite): Promise<boolean>
  /** The same as `run` for a statement that the opening itself needs, so it does not wait for the opening. */
  runAtOnce(name: StatementName, values: unknown[]): Promise<readonly Row[]>
  /** Resolves when the database is open. @throws Error for the operator */
  open(): Promise<void>
  /** Refuses all later calls, and waits for the earlier ones. */
  close(): Promise<void>
}

/** The parts that {@link jobDatabase} works with. */
export interface DatabaseContext {
  readonly pool: PostgresPool
  readonly schema: string
  readonly migrate: 'auto' | 'check' | false
  readonly clock: Clock
  /** Gets each reading of the server's clock, see `DatabaseClock`. */
  readonly onTime: DatabaseClock['read']
  /** Whether statements may be prepared under a name. */
  readonly mayPrepare: () => boolean
  /** Called when the schema is there, before the first other statement. */
  readonly onOpen: () => Promise<void>
  /** Called before each statement once the database is open. The statement waits for its promise. */
  readonly onUse: () => Promise<void> | undefined
}

export function jobDatabase(context: DatabaseContext): JobDatabase {
  const { pool, schema, migrate, clock, onTime, mayPrepare, onOpen, onUse } = context
  const underWay = new Set<Promise<unknown>>()
  const texts = new Map<StatementName, string>()
  let opened: Promise<void> | undefined
  let isClosed = false
  guardPool(pool)

  function textOf(name: StatementName): string {
    const text = texts.get(name) ?? sqlOf(name, schema).trim().replace(/\s+/g, ' ')
    texts.set(name, text)
    return text
  }

  async function ask(name: StatementName, values: unknown[]): Promise<readonly Row[]> {
    const statement = { text: textOf(name), values, ...(mayPrepare() && { name: `${schema}.${name}` }) }
    for (let tries = 1; ; tries++) {
      try {
        const sentAt = clock.uptime()
        const { rows } = await askPool(pool, clock, statementLimitMs, statement)
        const now = rows[0]?.['server_time']
        if (now !== undefined) onTime(Number(now), sentAt, clock.uptime())
        return rows
      } catch (error) {
        if (tries === maxTries || !isUndone(error)) throw unusableDatabase(schema, error)
      }
    }
  }

  async function openNow(): Promise<void> {
    try {
      const use = async (client: Parameters<typeof migrateSchema>[0]) => {
        const { rows } = await client.query({ text: `SELECT current_setting('server_encoding') AS encoding` })
        if (rows[0]?.encoding !== 'UTF8')
          throw new Error(`its encoding is ${rows[0]?.encoding}; create a database with the encoding UTF8`)
        if (migrate !== false) await migrateSchema(client, schema, migrate === 'auto')
      }
      await usePool({ pool, clock, limitMs: migrationLimitMs, use })
    } catch (error) {
      throw unusableDatabase(schema, error)
    }
    await onOpen()
  }

  function open(): Promise<void> {
    opened ??= openNow().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** Counts the call, so that `close` waits for it. */
  function tracked<Result>(call: () => Promise<Result>): Promise<Result> {
    if (isClosed) return Promise.reject(new Error(`The job database (schema ${schema}) has been closed.`))
    const running = call()
    underWay.add(running)
    const forget = () => void underWay.delete(running)
    running.then(forget, forget)
    return running
  }

  async function askOnceOpen(name: StatementName, values: unknown[]): Promise<readonly Row[]> {
    await open()
    const waking = onUse()
    if (waking) await waking
    return ask(name, values)
  }
  const write = writeQueue(askOnceOpen, clock)

  return {
    run: (name, values) => tracked(() => askOnceOpen(name, values)),
    write: (each) => tracked(() => write(each)),
    runAtOnce: ask,
    open: () => tracked(open),
    async close() {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}
