import type { StatementRunner } from './job-statements.ts'
import { importSqlite } from './node-sqlite.ts'
import { type Connection, openConnection } from './open-connection.ts'
import { obstacleTo } from './opened-files.ts'
import { holdProcessLock, type ProcessLock } from './process-lock.ts'
import { unusableDatabase } from './unusable-database.ts'
import { whyUnusable } from './why-unusable.ts'

/**
 * The database of jobs. The first call opens it. A later call opens it again when an earlier one could not,
 * or when the file was replaced by another one. If the file was removed while it was in use, all calls fail:
 * no new file is made, because it would lack jobs that are already paid for.
 */
export interface JobDatabase extends StatementRunner {
  /** Refuses all later calls, waits for the earlier ones to finish, and closes the file. */
  close(): Promise<void>
}

/** @param processId the name of the lock that this process holds from its first call until it ends */
export function jobDatabase(file: string, processId: string): JobDatabase {
  const underWay = new Set<Promise<unknown>>()
  let connection: Promise<Connection> | undefined
  let leaving: Connection | undefined
  let lettingGo: Promise<void> | undefined
  let lock: ProcessLock | undefined
  let closed: Promise<void> | undefined

  async function connect(): Promise<Connection> {
    if (closed) throw new Error(`The job database ${file} has been closed.`)
    connection ??= open().catch((error: unknown) => {
      connection = undefined
      throw error
    })
    const opened = await connection
    const change = opened.files.change()
    if (change === undefined) return opened
    // Otherwise the connection stays open: closing a file that was removed would delete its content, and the operator
    // may still put the file back.
    if (change.mayReopen && leaving !== opened) {
      leaving = opened
      connection = undefined
      lettingGo = letGo(opened).catch(() => {})
    }
    throw unusableDatabase(file, change.what)
  }

  async function open(): Promise<Connection> {
    await importSqlite()
    try {
      await lettingGo
      const obstacle = leaving && obstacleTo(file)
      if (obstacle !== undefined) throw new Error(obstacle)
      const opened = await openConnection(file)
      await holdLock().catch(async (error: unknown) => {
        await opened.close()
        throw error
      })
      return opened
    } catch (cause) {
      throw unusableDatabase(file, cause, whyUnusable(file, cause))
    }
  }

  /**
   * Takes the lock of this process. When the database is opened again the old lock is kept, because other processes
   * would consider a process without a lock dead, even if it lacks the lock only for a moment.
   */
  async function holdLock(): Promise<void> {
    if (lock?.isThere()) return
    lock?.release()
    lock = await holdProcessLock(file, processId)
  }

  async function letGo(opened: Connection): Promise<void> {
    await Promise.allSettled(underWay)
    await opened.close()
  }

  async function shutDown(): Promise<void> {
    await Promise.allSettled(underWay)
    await lettingGo
    const opened = await connection
    await opened?.close()
    lock?.release()
  }

  /** Passes the connection to `run`. The connection is not closed before `run` has finished. */
  function connected<Result>(run: (connection: Connection) => Promise<Result>): Promise<Result> {
    const running = connect().then(run)
    underWay.add(running)
    const forget = () => void underWay.delete(running)
    running.then(forget, forget)
    return running
  }

  return {
    read: (ask) => connected(({ read }) => read(ask)),
    glance: (ask) => connected(({ glance }) => glance(ask)),
    write: (change) => connected(({ write }) => write(change)),
    close: () => (closed ??= shutDown()),
  }
}
