import { existsSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { importSqlite } from './node-sqlite.ts'
import { patiently } from './patiently.ts'
import { makePrivateFile } from './private-file.ts'

/**
 * The path of a file beside the database that a process keeps locked while it is running. The operating system releases
 * the lock when the process ends, however it ends, and never before. The file is a SQLite database, because SQLite can
 * lock files on every runtime and between containers, where process ids mean nothing. A process must not open its own
 * lock file in any other way: closing it would release the lock (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export function lockFileOf(file: string, processId: string): string {
  return `${file}-process-${processId}`
}

/** The lock that this process holds. */
export interface ProcessLock {
  /** Whether the lock file still exists, so that other processes can find it. */
  isThere(): boolean
  /** Releases the lock and removes its file. */
  release(): void
}

/**
 * Creates the lock file of this process and locks it. The lock file gets the access rights of the database
 * `file`, so that every process that may use the database may also check the lock.
 */
export async function holdProcessLock(file: string, processId: string): Promise<ProcessLock> {
  const { DatabaseSync } = await importSqlite()
  const lockFile = lockFileOf(file, processId)
  const open = () => {
    makePrivateFile(lockFile, statSync(file).mode & 0o666)
    return new DatabaseSync(lockFile)
  }
  const lock = await patiently(() => lockedFile(open, lockFile))
  return {
    isThere: () => existsSync(lockFile),
    release() {
      lock.close()
      rmSync(lockFile, { force: true })
    },
  }
}

/** Whether the process that held the lock has ended. Also `false` when this is unknown. */
export async function isLockAbandoned(lockFile: string): Promise<boolean> {
  if (!existsSync(lockFile)) return true
  const { DatabaseSync } = await importSqlite()
  try {
    const probe = new DatabaseSync(lockFile, { readOnly: true })
    try {
      // Without this line Deno would wait for 5 s and block its event loop.
      probe.exec('PRAGMA busy_timeout = 0')
      probe.prepare('SELECT count(*) FROM sqlite_schema').get()
      return true
    } finally {
      probe.close()
    }
  } catch {
    return !existsSync(lockFile)
  }
}

/** Removes a lock file that no process has locked. A file that a process has just locked stays. */
export async function removeLock(lockFile: string): Promise<void> {
  const { DatabaseSync } = await importSqlite()
  try {
    const open = () => {
      // Another process may just have removed the file. SQLite would create it again, with access for other
      // users.
      makePrivateFile(lockFile)
      return new DatabaseSync(lockFile)
    }
    const lock = lockedFile(open, lockFile)
    // The file is removed while it is locked. A process that waits for this lock checks afterwards whether
    // the file still exists.
    rmSync(lockFile, { force: true })
    lock.close()
  } catch {
    // The next call of `leftBehind` tries it again.
  }
}

/** Opens the file and locks it. If another process has removed the file in between, it does both again. */
function lockedFile(open: () => DatabaseSync, lockFile: string): DatabaseSync {
  for (;;) {
    const lock = open()
    try {
      // With the journal in memory SQLite makes no second file beside the lock file.
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      if (existsSync(lockFile)) return lock
      lock.close()
    } catch (error) {
      lock.close()
      throw error
    }
  }
}
