import { LRUCache } from 'lru-cache'
import type { Clock } from '../contracts/clock.ts'

const pauseMs = 60_000
const maxKinds = 100

/** What there is to say about a kind of event now. */
export interface Occurrence {
  /** Whether nothing was said about this kind before. */
  readonly isFirst: boolean
  /** How many events of this kind were left out since the last one that was told. */
  readonly leftOut: number
}

/**
 * Limits what is told to one event of each kind a minute, for the 100 latest kinds.
 * @returns a function to be called at each event. It returns `undefined` when the event is to be left out
 */
export function onceAMinute(clock: Clock): (kind: string) => Occurrence | undefined {
  const told = new LRUCache<string, { readonly at: number; leftOut: number }>({ max: maxKinds })
  return (kind) => {
    const now = clock.uptime()
    const last = told.get(kind)
    if (last && now - last.at < pauseMs) {
      last.leftOut++
      return undefined
    }
    told.set(kind, { at: now, leftOut: 0 })
    return { isFirst: last === undefined, leftOut: last?.leftOut ?? 0 }
  }
}
