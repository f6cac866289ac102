import { LRUCache } from 'lru-cache'
import type { Clock } from '../contracts/clock.ts'

const pauseMs = 60_000
const maxKinds = 100

/** An event that is to be logged. */
export interface Occurrence {
  /** Whether this is the first logged event of its kind. */
  readonly isFirst: boolean
  /** How many events of this kind were left out since the last logged one. */
  readonly leftOut: number
}

/**
 * Limits log lines to one event of each kind a minute, for the 100 latest kinds.
 * @returns a function to be called at each event. It returns `undefined` when the event is to be left out
 */
export function onceAMinute(clock: Clock): (kind: string) => Occurrence | undefined {
  const occurrences = new LRUCache<string, { readonly at: number; leftOut: number }>({ max: maxKinds })
  return (kind) => {
    const now = clock.uptime()
    const last = occurrences.get(kind)
    if (last && now - last.at < pauseMs) {
      last.leftOut++
      return undefined
    }
    occurrences.set(kind, { at: now, leftOut: 0 })
    return { isFirst: last === undefined, leftOut: last?.leftOut ?? 0 }
  }
}
