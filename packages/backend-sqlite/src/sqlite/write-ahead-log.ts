import { closeSync, fdatasync, openSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import type { DatabaseSync } from 'node:sqlite'
import type { CheckpointThread } from './checkpoint-thread.ts'
import { patiently } from './patiently.ts'

/** The number of pages at which the log is moved into the database: 4 MB, SQLite's own default. */
const longLog = 1_000

/**
 * Puts commits on disk after the write lock was released, so that neither other processes nor the event loop wait for
 * the disk. Once `untilOnDisk` has resolved, a power cut can't undo the commits that it covers, as with `synchronous=FULL`,
 * because:
 *
 * - With `synchronous=NORMAL` SQLite leaves out only the sync after each commit. It still syncs the header of the log
 *   and the folder before it adds frames, the log before a checkpoint copies from it, and the database before it starts
 *   the log again from the beginning. So a power cut may undo the last commits, each as a whole and the latest first,
 *   but it never damages the file (https://sqlite.org/pragma.html#pragma_synchronous,
 *   https://sqlite.org/wal.html#performance_considerations).
 * - A commit is in the log before any connection can see it. A sync of the log that begins after that puts this commit
 *   and all earlier ones on disk, whichever process has written them: recovery reads the log from its start up to the
 *   first incomplete frame (https://sqlite.org/walformat.html#recovery). If a checkpoint has moved a commit into the
 *   database meanwhile, the database was synced before the commit's place in the log could be used again.
 * - Checkpoints are made by a thread with a connection of its own (checkpoint-thread.ts), as other processes make them.
 *   Nothing is lost if this thread dies: the log then grows until the next checkpoint.
 * - The log stays the same file while a connection is open. The connection that closes last deletes it, after a
 *   checkpoint. SQLite holds no lock on the log, so opening and closing it here can't release one
 *   (https://sqlite.org/howtocorrupt.html, section 2.2).
 * - Other processes can see a commit before the process that made it has put it on disk. So a read waits for `untilOnDisk` too
 *   before it returns what it found.
 * - After a failed sync the system may believe that lost data was written, and the next sync would succeed. So after a
 *   failure `untilOnDisk` resolves only when a checkpoint has moved the whole log into the database and emptied it.
 */
export interface WriteAheadLog {
  /**
   * Resolves when everything that this connection can see now is on disk.
   * @throws Error when it can't be written to the disk
   */
  untilOnDisk(): Promise<void>
  /** Resolves when writes may begin. During a checkpoint they would have to wait for the disk. */
  writable(): Promise<void>
  /** Closes the log when no checkpoint is under way. */
  close(): Promise<void>
}

/**
 * @param database a connection that makes no checkpoints
 * @param thread makes them
 * @param sync puts the content of the log file on disk
 */
export function writeAheadLog(
  database: DatabaseSync,
  file: string,
  thread: Pick<CheckpointThread, 'restartLog' | 'emptyLog'>,
  sync: (descriptor: number) => Promise<void> = promisify(fdatasync),
): WriteAheadLog {
  // Opened for writing, because Windows can sync only such a file.
  const descriptor = openSync(`${file}-wal`, 'r+')
  const commits = database.prepare(`
    SELECT total_changes() AS ours, (SELECT data_version FROM pragma_data_version) AS theirs`)
  let keptState = ''
  let hasFailed = false
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  let checkpoint: Promise<void> | undefined
  /** The number of pages at which the next checkpoint begins. */
  let limit = longLog

  /** A text that changes with every commit of any process. */
  function state(): string {
    const { ours, theirs } = commits.get() ?? {}
    return `${ours} ${theirs}`
  }

  async function syncNow(): Promise<void> {
    const seen = await patiently(state)
    if (hasFailed) await thread.emptyLog()
    try {
      await sync(descriptor)
    } catch (error) {
      hasFailed = true
      throw error
    }
    hasFailed = false
    keptState = seen
    if (hasPages(limit))
      checkpoint ??= restart()
        .catch(() => {})
        .finally(() => (checkpoint = undefined))
  }

  async function restart(): Promise<void> {
    // If the thread can't restart the log, for example because the app may have no threads, the event loop waits for
    // the disk.
    await thread.restartLog().catch(() => database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
    // While other connections read from the log, it grows. The next try then comes after `longLog` further pages.
    limit = hasPages(longLog) ? limit + longLog : longLog
  }

  /**
   * Whether the log has at least this many pages. Its file may be longer, because the log begins again without
   * shortening it: a page belongs to the log if it has the same salts as the header
   * (https://sqlite.org/fileformat2.html#walformat).
   */
  function hasPages(count: number): boolean {
    const header = Buffer.alloc(24)
    if (readSync(descriptor, header, 0, 24, 0) < 24) return false
    const salts = Buffer.alloc(8)
    const lastFrame = 32 + (count - 1) * (24 + header.readUInt32BE(8))
    return readSync(descriptor, salts, 0, 8, lastFrame + 8) === 8 && salts.equals(header.subarray(16))
  }

  /** Runs one sync at a time. All calls during a sync share the next one. */
  function syncNext(): Promise<void> {
    next ??= (underWay ?? Promise.resolve()).then(() => {
      next = undefined
      const run = syncNow()
      underWay = run.catch(() => {}).finally(() => (underWay = undefined))
      return run
    })
    return next
  }

  return {
    async untilOnDisk() {
      if ((await patiently(state)) !== keptState || hasFailed) await syncNext()
    },
    writable: async () => checkpoint,
    async close() {
      await checkpoint
      closeSync(descriptor)
    },
  }
}
