import { Worker } from 'node:worker_threads'

/**
 * The script of the thread is a text, and not a file, because bundlers do not take the files of threads along. The text
 * is loaded with every import of this package, so its comments are here:
 *
 * - `check`: by now, the paths may belong to other files, and SQLite would create a missing file.
 * - `RESTART` runs if other processes have written during `PASSIVE`. It takes the write lock, so that they can't go on.
 * - If `BEGIN` fails, another process has the write lock. That process makes the log begin again when it writes.
 */
const script = `
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const [file, identities] = workerData
function check() {
  for (const path in identities) {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!stats || stats.dev + ' ' + stats.ino !== identities[path])
      throw new Error(path + ' was removed or replaced')
  }
}
check()
const database = new DatabaseSync(file)
const run = (sql) => database.exec(sql)
const get = (sql) => database.prepare(sql).get()
run('PRAGMA busy_timeout = 50; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0')
get('SELECT count(*) FROM sqlite_schema')
check()

const orders = {
  restartLog() {
    const { log, checkpointed } = get('PRAGMA wal_checkpoint(PASSIVE)')
    if (checkpointed < log) get('PRAGMA wal_checkpoint(RESTART)')
    try {
      run('BEGIN IMMEDIATE')
    } catch {
      return
    }
    try {
      run('PRAGMA user_version = ' + get('PRAGMA user_version').user_version + '; COMMIT')
    } catch (error) {
      run('ROLLBACK')
      throw error
    }
  },
  emptyLog() {
    if (get('PRAGMA wal_checkpoint(TRUNCATE)').busy)
      throw new Error('the last writes could not be put on disk, because other processes keep the file busy')
  },
  close: () => database.close(),
}

parentPort.on('message', (order) => {
  try {
    orders[order]()
    parentPort.postMessage('')
  } catch (error) {
    parentPort.postMessage(error.message)
  }
})`

const scriptUrl = new URL(`data:text/javascript,${encodeURIComponent(script)}`)

/**
 * A thread with its own connection that waits for the disk, so that the event loop need not. The first order starts the
 * thread. It keeps the process alive only while an order is under way. When it dies, the orders under way are rejected,
 * and the next order starts a new thread.
 */
export interface CheckpointThread {
  /**
   * Moves the log into the database, and lets the log begin again with a write that changes nothing. The first write to
   * a log that begins again waits for a sync of the log's header. Call it while this process does not write.
   */
  restartLog(): Promise<void>
  /**
   * Moves the whole log into the database, and makes the log an empty file.
   * @throws Error when other processes prevent it
   */
  emptyLog(): Promise<void>
  /** Closes the connection and ends the thread. */
  close(): Promise<void>
}

/** @param identities the device and inode numbers of the database and of the files beside it, by path */
export function checkpointThread(
  file: string,
  identities: Readonly<Record<string, string>>,
): CheckpointThread {
  const underWay: PromiseWithResolvers<void>[] = []
  let thread: Worker | undefined

  function start(): Worker {
    const started = new Worker(scriptUrl, { workerData: [file, identities] })
    const end = (reason: unknown) => {
      if (thread !== started) return
      thread = undefined
      const cause =
        reason instanceof Error ? reason : new Error(`its thread has exited with ${String(reason)}`)
      for (const { reject } of underWay.splice(0)) reject(cause)
    }
    const receive = (fault: string) => {
      const { resolve, reject } = underWay.shift() ?? {}
      if (fault === '') resolve?.()
      else reject?.(new Error(fault))
      if (underWay.length === 0) started.unref()
    }
    return started.on('message', receive).on('error', end).on('exit', end)
  }

  async function order(name: keyof CheckpointThread): Promise<void> {
    thread ??= start()
    thread.ref()
    const answer = Promise.withResolvers<void>()
    underWay.push(answer)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule is for windows, not for threads
    thread.postMessage(name)
    await answer.promise
  }

  return {
    restartLog: () => order('restartLog'),
    emptyLog: () => order('emptyLog'),
    async close() {
      const closing = thread
      if (!closing) return
      // If the thread dies, its connection is closed as well.
      await order('close').catch(() => {})
      thread = undefined
      await closing.terminate()
    },
  }
}
