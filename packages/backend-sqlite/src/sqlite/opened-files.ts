import { statSync } from 'node:fs'

/** Which files a database had when it was opened. */
export interface OpenedFiles {
  /** Whether there is a database in the place of the one that was opened. */
  isThere(): boolean
  /** What has become of them since, or `undefined` while they are in their place. */
  changed(): string | undefined
  /** Why what is in their place now can't be opened, or `undefined`. */
  obstacle(): string | undefined
}

/**
 * Looks whether the files of an open database are still to be found under their names. SQLite goes on with a file that
 * was removed or replaced, and what it then writes is lost.
 */
export function openedFiles(file: string): OpenedFiles {
  const logFile = `${file}-wal`
  const indexFile = `${file}-shm`
  const [database, log, index] = [file, logFile, indexFile].map(identityOf)

  return {
    isThere: () => identityOf(file) !== undefined,
    changed() {
      const now = identityOf(file)
      if (now !== database) return now === undefined ? removed : 'it was replaced while it was in use'
      return identityOf(logFile) === log ? undefined : `${logFile} was removed while it was in use`
    },
    obstacle() {
      const isIndexLeft = index !== undefined && identityOf(indexFile) === index
      const isLogLeft = log !== undefined && identityOf(logFile) === log
      const now = identityOf(file)
      if (now === undefined) return removed
      if (now === database) {
        // The last process that closes the file saves what is in the log and takes the index away.
        return isIndexLeft && !isLogLeft
          ? `${logFile} was removed while it was in use, and other processes have it open`
          : undefined
      }
      // SQLite would take the log of the database that was there for that of the one that is there now.
      const left = [...(isLogLeft ? [logFile] : []), ...(isIndexLeft ? [indexFile] : [])]
      return left.length === 0
        ? undefined
        : `it was replaced while it was in use, and ${left.join(' and ')} of the earlier one must be removed too`
    },
  }
}

const removed = 'it was removed while it was in use'

/** The same for the same file, whatever its name. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
