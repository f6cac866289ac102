import type { Clock } from '../contracts/clock.ts'

/** The same moment by both clocks. */
export interface Mark {
  readonly now: number
  readonly uptime: number
}

/** Reads both clocks. */
export function markOf(clock: Clock): Mark {
  return { now: clock.now(), uptime: clock.uptime() }
}
