import { existsSync, statSync } from 'node:fs'

/** Where the files of an open database were when it was opened. To be asked while it is open. */
export interface OpenedFiles {
  /** What has become of them since, and whether the database may be opened anew; `undefined` while they are in their place. */
  change(): { readonly what: string; readonly mayReopen: boolean } | undefined
}

const removed = 'it was removed while it was in use'

/**
 * Looks whether the files of an open database are still to be found under their names. SQLite goes on with a file that was
 * removed or replaced, and what it then writes is lost.
 */
export function openedFiles(file: string): OpenedFiles {
  const logFile = `${file}-wal`
  const indexFile = `${file}-shm`
  const [database, log, index] = [file, logFile, indexFile].map(identityOf)

  return {
    change() {
      const now = identityOf(file)
      const isLogLeft = identityOf(logFile) === log
      if (now === undefined) return { what: removed, mayReopen: false }
      if (now === database)
        // The last process that closes the database saves what is in the log.
        return isLogLeft ? undefined : { what: `${logFile} was removed while it was in use`, mayReopen: true }
      // SQLite would take the log of the database that was there for that of the one that is there now.
      const left = [...(isLogLeft ? [logFile] : []), ...(identityOf(indexFile) === index ? [indexFile] : [])]
      const what = 'it was replaced while it was in use'
      if (left.length === 0) return { what, mayReopen: true }
      return { what: `${what}, and ${left.join(' and ')} must be removed too`, mayReopen: false }
    },
  }
}

/** Why a database whose files were removed or replaced before, and which nobody here has open, can't be opened anew. */
export function obstacleTo(file: string): string | undefined {
  if (!existsSync(file)) return removed
  // The last process that closes the database takes the index away.
  return existsSync(`${file}-shm`) && !existsSync(`${file}-wal`)
    ? `${file}-wal was removed while it was in use, and other processes have it open`
    : undefined
}

/** The same for the same file, whatever its name, while it is open: only then can no other file get its number. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}
