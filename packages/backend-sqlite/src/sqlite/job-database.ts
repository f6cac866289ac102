import { type GroupCommit, groupCommit } from './group-commit.ts'
import { type JobStatements, jobStatements } from './job-statements.ts'
import { openDatabase } from './open-database.ts'
import { patiently } from './patiently.ts'

/** A database of jobs, opened by whichever call comes first and again after a call that could not open it. */
export interface JobDatabase {
  read<Result>(ask: (statements: JobStatements) => Result): Promise<Result>
  /** Runs `change` in a transaction. @returns what it returned, once that is on disk */
  write<Result>(change: (statements: JobStatements) => Result): Promise<Result>
  /** Refuses what comes from now on, finishes what has come before, and lets go of the file. */
  close(): Promise<void>
}

interface Connection {
  readonly statements: JobStatements
  readonly commits: GroupCommit
  close(): void
}

export function jobDatabase(file: string): JobDatabase {
  let connection: Promise<Connection> | undefined
  let closed: Promise<void> | undefined

  function connect(): Promise<Connection> {
    if (closed) throw new Error(`The job database ${file} has been closed.`)
    connection ??= open().catch((error: unknown) => {
      connection = undefined
      throw error
    })
    return connection
  }

  async function open(): Promise<Connection> {
    const database = await openDatabase(file)
    return {
      statements: jobStatements(database),
      commits: groupCommit(database),
      // The last connection to a file moves its write-ahead log into it.
      close: () => database.close(),
    }
  }

  async function shutDown(): Promise<void> {
    const open = await connection?.catch(() => undefined)
    await open?.commits.settled()
    open?.close()
  }

  return {
    async read(ask) {
      const { statements } = await connect()
      return patiently(() => ask(statements))
    },
    async write(change) {
      const { statements, commits } = await connect()
      return commits.write(() => change(statements))
    },
    close: () => (closed ??= shutDown()),
  }
}
