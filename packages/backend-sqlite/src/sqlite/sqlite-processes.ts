import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type Clock, longestPauseMs, type Processes } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'
import { isLockAbandoned, lockFileOf, removeLock } from './process-lock.ts'

/** Process ids become part of file names, so nothing else is allowed in them. */
const idPattern = /^[\w-]+$/

/**
 * Finds out by their lock files which of the processes that share the database have ended.
 * @param id the id of this process, which never counts as ended
 */
export function sqliteProcesses(file: string, id: string, database: JobDatabase, clock: Clock): Processes {
  async function hasEnded(other: string): Promise<boolean> {
    return other !== id && idPattern.test(other) && isLockAbandoned(lockFileOf(file, other))
  }

  async function endedOf(others: readonly string[]): Promise<string[]> {
    const verdicts = await Promise.all(others.map(hasEnded))
    return others.filter((_, index) => verdicts[index])
  }

  async function othersWithLockFile(): Promise<string[]> {
    const prefix = basename(lockFileOf(file, ''))
    const names = await readdir(dirname(file))
    return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }

  return {
    id,
    hasEnded,
    async leftBehind(limit) {
      const gone = await endedOf(await othersWithLockFile())
      if (gone.length === 0) return []
      const now = clock.now()
      const parameters = { gone: JSON.stringify(gone), now, farAhead: now + longestPauseMs, limit }
      const rows = await database.glance(({ leftBehind }) => leftBehind.all(parameters))
      const holders = [...new Set(rows.map(({ process }) => String(process)))]
      if (rows.length < limit) {
        const done = gone.filter((other) => !holders.includes(other))
        await Promise.all(done.map((other) => removeLock(lockFileOf(file, other))))
      }
      // A process that has just created its lock file, and has not locked it yet, looks as if it had ended. By now it
      // may have claimed jobs, and a process claims jobs only while it holds its lock.
      const ended = await endedOf(holders)
      return rows.filter(({ process }) => ended.includes(String(process))).map((row) => String(row.id))
    },
  }
}
