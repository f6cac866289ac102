import { type Clock, longestPauseMs, type Processes } from '@genmount/core'
import type { Heartbeat } from './heartbeat.ts'
import type { JobDatabase } from './job-database.ts'
import { mayReturnMs } from './process-statements.ts'

/** For how long a list of the running processes is used again, in milliseconds. */
const freshMs = 250

/** What the row of a process says of it. Without a row it has ended. */
type State = 'running' | 'silent' | 'long silent' | 'ended'

/** Finds out by their locks and their heartbeats which of the processes that share the database have ended. */
export function postgresProcesses(
  id: string,
  database: JobDatabase,
  heart: Pick<Heartbeat, 'canJudge' | 'isInDoubt' | 'seenSince'>,
  clock: Clock,
): Processes {
  let latest: { readonly states: Promise<ReadonlyMap<string, State>>; readonly at: number } | undefined

  /** The states of the processes that have a row. @param since the earliest instant of the reading, by the uptime */
  function statesSince(since: number): Promise<ReadonlyMap<string, State>> {
    if (!latest || latest.at < since) {
      const states = database.run('processes', []).then((rows) => new Map(rows.map(stateIn)))
      latest = { states, at: clock.uptime() }
      states.catch(() => (latest = undefined))
    }
    return latest.states
  }

  /** A process has a row from before its first claim until all traces of it are deleted. */
  function isOver(state: State = 'ended'): boolean {
    if (state === 'silent') return heart.canJudge()
    // The answer may have shown that the server's clock was set. Until the others have written another beat, they look as
    // if they had been silent for long.
    return state === 'long silent' ? !heart.isInDoubt() : state === 'ended'
  }

  return {
    id,
    mayReturnMs,
    seenSince: () => heart.seenSince(),
    async hasEnded(other) {
      if (other === id || !/^[\w-]+$/.test(other)) return false
      const now = clock.uptime()
      if (!isOver((await statesSince(now - freshMs)).get(other))) return false
      // A process that has rested may have made the claim that the caller has read after an earlier reading of the states.
      return isOver((await statesSince(now)).get(other))
    },
    async leftBehind(limit) {
      const states = await statesSince(clock.uptime() - freshMs)
      const gone = [...states]
        .filter(([other, state]) => other !== id && isOver(state))
        .map(([other]) => other)
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

function stateIn(row: Readonly<Record<string, unknown>>): [id: string, state: State] {
  return [String(row['id']), row['state'] as State]
}
