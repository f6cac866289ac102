import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { DatabaseSync } from 'node:sqlite'
import { patiently } from './patiently.ts'

/**
 * Puts commits on disk after the write lock has been given back, so that neither other processes nor the event loop wait
 * for the disk. A power cut takes nothing that `kept` has told of, as with `synchronous=FULL`, because:
 *
 * - With `synchronous=NORMAL` SQLite leaves out one thing, the sync after each commit. It still syncs the log's header and
 *   the folder before frames follow, the log before a checkpoint copies from it, and the database before the log is begun
 *   anew. So a power cut may take the last commits, whole and in their order, and never damages the file
 *   (https://sqlite.org/pragma.html#pragma_synchronous, https://sqlite.org/wal.html#performance_considerations).
 * - A commit is written to the log before anybody can see it. A sync of the log that begins after that puts on disk this
 *   commit and all before it, whichever process wrote them: recovery reads the log from its start up to the first frame
 *   that is not whole (https://sqlite.org/walformat.html#recovery). Where a checkpoint has moved a commit into the database
 *   meanwhile, that was synced before its place in the log could be used again.
 * - The log stays the same file while a connection is open. The last one to close deletes it, after a checkpoint. No lock
 *   lies on it that opening and closing it here could drop (https://sqlite.org/howtocorrupt.html, section 2.2).
 * - A commit can be seen before its own process has put it on disk. So what was read is told only after `kept`, too.
 * - After a sync that failed, the system may take for written what it has lost, and the next sync would succeed. Then `kept`
 *   tells of nothing before a checkpoint has moved the whole log into the database and emptied it.
 */
export interface WriteAheadLog {
  /** Resolves once everything that this connection can see now is on disk. @throws Error when the disk does not take it */
  kept(): Promise<void>
  close(): void
}

/** `sync` puts what is in the log on disk. */
export function writeAheadLog(
  database: DatabaseSync,
  file: string,
  sync: (descriptor: number) => Promise<void> = promisify(fdatasync),
): WriteAheadLog {
  // Writable, because Windows syncs no other descriptors.
  const descriptor = openSync(`${file}-wal`, 'r+')
  const commits = database.prepare(`
    SELECT total_changes() AS ours, (SELECT data_version FROM pragma_data_version) AS theirs`)
  let keptState = ''
  let hasFailed = false
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Changes with every commit. */
  function state(): string {
    const { ours, theirs } = commits.get() ?? {}
    return `${ours} ${theirs}`
  }

  async function syncNow(): Promise<void> {
    const seen = await patiently(state)
    if (hasFailed) await patiently(() => emptyLog(database))
    try {
      await sync(descriptor)
    } catch (error) {
      hasFailed = true
      throw error
    }
    hasFailed = false
    keptState = seen
  }

  /** One at a time: whoever comes while one is under way shares the next. */
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
    async kept() {
      if ((await patiently(state)) !== keptState || hasFailed) await syncNext()
    },
    close: () => closeSync(descriptor),
  }
}

function emptyLog(database: DatabaseSync): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
  if (busy !== 0) throw new Error('what was written could not be put on disk, and others keep the file busy')
}
