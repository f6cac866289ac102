import { existsSync, statSync } from 'node:fs'

/** Remembers the files of an open database. It must be called only while the database is open. */
export interface OpenedFiles {
  /** The device and inode numbers of the database, its log and its index, by their paths. */
  readonly identities: Readonly<Record<string, string>>
  /**
   * Says what happened to the files, and whether the database may be opened again. `undefined` while they are still the
   * same files under the same names.
   */
  change(): { readonly what: string; readonly mayReopen: boolean } | undefined
}

const removed = 'it was removed while it was in use'

/**
 * Checks whether the files of an open database are still there under their names. SQLite itself continues to use a file
 * that was removed or replaced, and everything that it then writes is lost.
 */
export function openedFiles(file: string): OpenedFiles {
  const logFile = `${file}-wal`
  const indexFile = `${file}-shm`
  const paths = [file, logFile, indexFile]
  const [database, log, index] = paths.map(identityOf)

  return {
    identities: Object.fromEntries(paths.map((path) => [path, String(identityOf(path))])),
    change() {
      const now = identityOf(file)
      const isLogLeft = identityOf(logFile) === log
      if (now === undefined) return { what: removed, mayReopen: false }
      if (now === database)
        // The process that closes the database last copies the content of the log into the database.
        return isLogLeft ? undefined : { what: `${logFile} was removed while it was in use`, mayReopen: true }
      // SQLite would use the log of the old database for the new one.
      const left = [...(isLogLeft ? [logFile] : []), ...(identityOf(indexFile) === index ? [indexFile] : [])]
      const what = 'it was replaced while it was in use'
      if (left.length === 0) return { what, mayReopen: true }
      return { what: `${what}, and ${left.join(' and ')} must be removed too`, mayReopen: false }
    },
  }
}

/**
 * Says why a database whose files were removed or replaced can't be opened again. It must be called only when this
 * process does not have the database open.
 * @returns `undefined` when the database can be opened
 */
export function obstacleTo(file: string): string | undefined {
  if (!existsSync(file)) return removed
  // The process that closes the database last removes the index. So an index without a log means that some
  // process still has the database open.
  return existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)
    ? `${file}-wal was removed while it was in use, and other processes have it open`
    : undefined
}

/**
 * Identifies a file by its device and inode number, whatever its name is. Only reliable while the file is
 * open: after that the system may give its inode number to another file.
 */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
