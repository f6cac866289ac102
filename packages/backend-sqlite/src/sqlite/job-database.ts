import { importSqlite } from './node-sqlite.ts'
import { type Connection, openConnection } from './open-connection.ts'
import type { OpenedFiles } from './opened-files.ts'
import { lockFileOf } from './process-lock.ts'
import { unusableDatabase } from './unusable-database.ts'

/**
 * A database of jobs, opened by whichever call comes first, and again after a call that could not open it or found another
 * in its place. Where the file was removed all calls fail: a new one is not made, because it would lack jobs that are paid.
 */
export interface JobDatabase extends Pick<Connection, 'read' | 'glance' | 'write'> {
  /** Refuses what comes from now on, finishes what has come before, and lets go of the file. */
  close(): Promise<void>
}

/** `processId` is the name under which this process holds its lock while the database is open. */
export function jobDatabase(file: string, processId: string): JobDatabase {
  const underWay = new Set<Promise<unknown>>()
  let connection: Promise<Connection> | undefined
  let lostFiles: OpenedFiles | undefined
  let lettingGo: Promise<void> | undefined
  let closed: Promise<void> | undefined

  async function connect(): Promise<Connection> {
    if (closed) throw new Error(`The job database ${file} has been closed.`)
    connection ??= open().catch((error: unknown) => {
      connection = undefined
      throw error
    })
    const opened = await connection
    const change = opened.files.changed()
    if (change === undefined) return opened
    // A file without a name is held on to, because with it would go what is in it. Perhaps it is put back.
    if (lostFiles !== opened.files && opened.files.isThere()) {
      lostFiles = opened.files
      connection = undefined
      lettingGo = letGo(opened).catch(() => {})
    }
    throw unusableDatabase(file, change)
  }

  async function open(): Promise<Connection> {
    await importSqlite()
    try {
      await lettingGo
      const obstacle = lostFiles?.obstacle()
      if (obstacle !== undefined) throw new Error(obstacle)
      return await openConnection(file, lockFileOf(file, processId))
    } catch (cause) {
      throw unusableDatabase(file, cause)
    }
  }

  async function letGo(opened: Connection): Promise<void> {
    await Promise.allSettled(underWay)
    opened.close()
  }

  async function shutDown(): Promise<void> {
    await Promise.allSettled(underWay)
    await lettingGo
    const opened = await connection
    opened?.close()
  }

  /** What `run` makes of the connection, which is not closed before. */
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
