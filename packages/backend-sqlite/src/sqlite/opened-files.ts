import { statSync } from 'node:fs'

/** Which files a database had when it was opened. */
export interface OpenedFiles {
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
    changed() {
      const now = identityOf(file)
      if (now !== database) return `it was ${now === undefined ? 'removed' : 'replaced'} while it was in use`
      return identityOf(logFile) === log ? undefined : `${logFile} was removed while it was in use`
    },
    obstacle() {
      const isIndexLeft = index !== undefined && identityOf(indexFile) === index
      const isLogLeft = log !== undefined && identityOf(logFile) === log
      if (identityOf(file) === database) {
        // The last process that closes the file saves what is in the log and takes the index away.
        return isIndexLeft && !isLogLeft
          ? `${logFile} was removed while it was in use, and other processes have it open`
          : undefined
      }
      // SQLite would take the log of the database that was there for that of the one that is there now.
      const left = [...(isLogLeft ? [logFile] : []), ...(isIndexLeft ? [indexFile] : [])]
      return left.length === 0
        ? undefined
        : `it was removed or replaced while it was in use; put it back, or remove ${left.join(' and ')} too`
    },
  }
}

/** The same for the same file, whatever its name. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
