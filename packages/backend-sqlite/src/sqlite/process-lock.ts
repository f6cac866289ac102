import { existsSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { importSqlite } from './node-sqlite.ts'
import { patiently } from './patiently.ts'
import { makePrivateFile } from './private-file.ts'

/**
 * A file beside the database that is locked for as long as the process lives: the operating system lets go of the lock
 * when the process ends, however it ends, and in no other case. It is a SQLite database because that has locks on every
 * runtime and between containers, where process ids mean nothing. No process may open its own lock file by other means:
 * closing it would drop the lock (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export function lockFileOf(file: string, processId: string): string {
  return `${file}-process-${processId}`
}

export interface ProcessLock {
  /** Whether others can still find it. */
  isThere(): boolean
  /** Lets go of it and removes its file. */
  release(): void
}

/** The lock's file gets the rights of the database `file`, so that whoever shares the one can ask the other. */
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

/** Whether whoever held the lock has ended. `false` where it can't be told. */
export async function isLockAbandoned(lockFile: string): Promise<boolean> {
  if (!existsSync(lockFile)) return true
  const { DatabaseSync } = await importSqlite()
  try {
    const probe = new DatabaseSync(lockFile, { readOnly: true })
    try {
      // Deno waits for 5 s otherwise, and its event loop with it.
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

/** Removes the file of a lock that nobody holds. Leaves one that somebody has just taken. */
export async function removeLock(lockFile: string): Promise<void> {
  const { DatabaseSync } = await importSqlite()
  try {
    const open = () => {
      // Another process may just have removed it, and SQLite makes what is not there.
      makePrivateFile(lockFile)
      return new DatabaseSync(lockFile)
    }
    const lock = lockedFile(open, lockFile)
    // Removed while it is locked: whoever makes the same file now looks whether it is still there.
    rmSync(lockFile, { force: true })
    lock.close()
  } catch {
    // It will be tried again.
  }
}

/** Opens the file and locks it. Another process may have removed it in between, and then it is made again. */
function lockedFile(open: () => DatabaseSync, lockFile: string): DatabaseSync {
  for (;;) {
    const lock = open()
    try {
      // Without a journal file beside it.
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      if (existsSync(lockFile)) return lock
      lock.close()
    } catch (error) {
      lock.close()
      throw error
    }
  }
}
