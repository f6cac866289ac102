import { type Clock, longestPauseMs, type Processes } from '@genmount/core'
import type { Heartbeat } from './heartbeat.ts'
import type { JobDatabase } from './job-database.ts'

/** For how long a list of the running processes is used again, in milliseconds. */
const freshMs = 250

/**
 * How long a process that counts as ended may only have been cut off from the server, in milliseconds: outages of
 * networks and servers are usually shorter.
 */
const mayReturnMs = 180_000

/** Whether each process is running, by id. `undefined` while that can't be told. */
type Verdicts = ReadonlyMap<string, boolean> | undefined

/** Finds out by their locks and their heartbeats which of the processes that share the database have ended. */
export function postgresProcesses(
  id: string,
  database: JobDatabase,
  heart: Pick<Heartbeat, 'canJudge' | 'seenSince'>,
  clock: Clock,
): Processes {
  let latest: { readonly verdicts: Promise<Verdicts>; readonly at: number } | undefined

  /** @returns `undefined` when this process can't judge */
  async function judge(): Promise<Verdicts> {
    await database.open()
    if (!heart.canJudge()) return undefined
    const now = clock.uptime()
    if (!latest || now - latest.at > freshMs) {
      const verdicts = database.run('processes', []).then((rows) =>
        // The answer may have shown that the server's clock was set. Until the others have written another beat, they look
        // as if they had been silent for long.
        heart.canJudge() ? new Map(rows.map((row) => [String(row['id']), row['lives'] === true])) : undefined,
      )
      latest = { verdicts, at: now }
      verdicts.catch(() => (latest = undefined))
    }
    return latest.verdicts
  }

  return {
    id,
    mayReturnMs,
    seenSince: () => heart.seenSince(),
    async hasEnded(other) {
      // A process has a row from before its first claim until all traces of it are deleted.
      if (other === id || !/^[\w-]+$/.test(other)) return false
      const verdicts = await judge()
      return verdicts !== undefined && !verdicts.get(other)
    },
    async leftBehind(limit) {
      const verdicts = [...((await judge()) ?? [])]
      const gone = verdicts.filter(([other, lives]) => !lives && other !== id).map(([other]) => other)
      if (gone.length === 0) return []
      const now = clock.now()
      const rows = await database.run('leftBehind', [now, now + longestPauseMs, gone, limit])
      if (rows.length < limit) {
        const stillNeeded = new Set(rows.map((row) => row['claimed_by']))
        await database.run('forget', [gone.filter((other) => !stillNeeded.has(other))])
      }
      return rows.map((row) => String(row['id']))
    },
  }
}
