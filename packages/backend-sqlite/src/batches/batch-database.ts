import type { Clock } from '@genmount/core'
import { numberIn } from '../sqlite/number-in.ts'
import type { Row } from '../sqlite/statement.ts'
import { batchStatements, type StatementName } from './batch-statements.ts'
import type { DatabaseClock } from './database-clock.ts'
import { type RunBatch, statement, type Values } from './batch.ts'

/** The rows that each statement of a batch has given; none for a statement that was not part of the batch. */
type Answers = Readonly<Record<StatementName, readonly Row[]>>

/** A database that takes batches of statements. The first call opens it; a later call tries again if that has failed. */
export interface BatchDatabase {
  /**
   * Runs statements in order, in one transaction.
   * @param names `false` and `undefined` are left out
   * @param values the values of the parameters of all these statements
   * @throws Error for the operator, whose cause is the error of the database
   */
  ask(names: readonly (StatementName | false | undefined)[], values: Values): Promise<Answers>
  /** Runs one statement. @throws like `ask` */
  rowsOf(name: StatementName, values: Values): Promise<readonly Row[]>
  /** Refuses all later calls, and waits for the earlier ones. */
  close(): Promise<void>
}

/** The parts that {@link batchDatabase} works with. */
export interface DatabaseContext {
  /** How errors name the database, such as `The D1 database`. */
  readonly name: string
  readonly run: RunBatch
  /** Gets a reading of the database's clock with each batch. */
  readonly clock: DatabaseClock
  /** The clock of the host. */
  readonly host: Clock
  /** Checks the schema, or brings it up to date. Several may run at the same time, also in other processes. */
  readonly openSchema: () => Promise<void>
}

const noRows = Object.fromEntries(
  Object.keys(batchStatements).map((name) => [name, [] as readonly Row[]]),
) as Answers

export function batchDatabase({ name: what, run, clock, host, openSchema }: DatabaseContext): BatchDatabase {
  const underWay = new Set<Promise<unknown>>()
  let isOpen = false
  let isClosed = false

  // Each of the first calls opens the database by itself. In a worker, what one request has begun never ends for the others
  // once the request is over.
  async function open(): Promise<void> {
    if (isOpen) return
    await openSchema()
    isOpen = true
  }

  /** Counts the call, so that `close` waits for it. */
  async function tracked<Result>(call: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new Error(`${what} has been closed.`)
    const running = call().catch((cause: unknown) => {
      throw new Error(`${what} can't be used: ${messageOf(cause)}.`, { cause })
    })
    underWay.add(running)
    try {
      return await running
    } finally {
      underWay.delete(running)
    }
  }

  async function askNow(names: readonly StatementName[], values: Values): Promise<Answers> {
    await open()
    const sentAt = host.now()
    const all = [...names, 'instant' as const]
    const answers = await run(all.map((name) => statement(batchStatements[name], values)))
    const answered = Object.fromEntries(all.map((name, at) => [name, answers[at]!])) as Answers
    clock.read(numberIn(answered.instant[0], 'now'), sentAt)
    return { ...noRows, ...answered }
  }

  const ask: BatchDatabase['ask'] = (names, values) =>
    tracked(() =>
      askNow(
        names.filter((name) => name !== undefined && name !== false),
        values,
      ),
    )

  return {
    ask,
    rowsOf: (name, values) => ask([name], values).then((answers) => answers[name]),
    async close() {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

function messageOf(cause: unknown): string {
  const { message } = (cause ?? {}) as { readonly message?: unknown }
  return String(message || cause).replace(/\.$/, '')
}
