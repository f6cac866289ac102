import { importSqlite } from './node-sqlite.ts'
import { type Connection, openConnection } from './open-connection.ts'
import { obstacleTo } from './opened-files.ts'
import { holdProcessLock, type ProcessLock } from './process-lock.ts'
import { unusableDatabase } from './unusable-database.ts'

/**
 * A database of jobs, opened by whichever call comes first, and again after a call that could not open it or found another
 * in its place. Where the file was removed all calls fail: a new one is not made, because it would lack jobs that are paid.
 */
export interface JobDatabase extends Pick<Connection, 'read' | 'glance' | 'write'> {
  /** Refuses what comes from now on, finishes what has come before, and lets go of the file. */
  close(): Promise<void>
}

/** `processId` is the name under which this process holds its lock, from the first use to the end. */
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
    // Else it is held on to, because with a file that has no name would go what is in it. Perhaps it is put back.
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
      await holdLock().catch((error: unknown) => {
        opened.close()
        throw error
      })
      return opened
    } catch (cause) {
      throw unusableDatabase(file, cause)
    }
  }

  /** Also of a file that is opened anew: whoever is without a lock for a moment is taken for dead. */
  async function holdLock(): Promise<void> {
    if (lock?.isThere()) return
    lock?.release()
    lock = await holdProcessLock(file, processId)
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
    lock?.release()
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
