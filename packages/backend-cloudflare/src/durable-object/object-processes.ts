import { longestPauseMs, type Processes } from '@genmount/core'
import type { ObjectDatabase } from './object-database.ts'

/** Before a submit, a claim is written again if its last write is more than this many milliseconds ago. */
const certainMs = 1000

/**
 * Each start of a Durable Object is a process of its own, and all earlier ones have ended: Cloudflare runs one instance of an
 * object at a time. It enforces this whenever an event starts and whenever storage is used: an instance that was replaced gets an
 * exception there (https://developers.cloudflare.com/durable-objects/platform/known-issues/#global-uniqueness, 2026-11-27).
 * What it sends after a write leaves only when the write is durable, so it can't submit a job either once it was replaced,
 * provided that it has just written the claim: `seenSince` asks for that.
 */
export function objectProcesses(database: ObjectDatabase): Required<Omit<Processes, 'mayReturnMs'>> {
  const id = crypto.randomUUID()
  /** Only this instance writes, so once no claim of an earlier one is left, none comes back. */
  let areNoneLeft = false

  return {
    id,
    hasEnded: async (other) => other !== id,
    async leftBehind(limit) {
      if (areNoneLeft) return []
      const now = Date.now()
      const parameters = { now, farAhead: now + longestPauseMs, process: id, limit }
      const rows = database.alarm().leftByOthers.all(parameters)
      areNoneLeft = rows.length === 0
      return rows.map((row) => String(row['id']))
    },
    seenSince: () => performance.now() - certainMs,
  }
}
