import type { Clock } from '../contracts/clock.ts'
import { toleranceMs } from '../job/clock-steps.ts'
import type { JobEvent } from '../job/job-event.ts'

/** The same moment by both clocks. */
export interface Mark {
  readonly now: number
  readonly uptime: number
}

/** Reads both clocks. */
export function markOf(clock: Clock): Mark {
  return { now: clock.now(), uptime: clock.uptime() }
}

/**
 * Moves the instants of an event if the clock was set since the event was given to `write`.
 * @param byMs how far the clock was set
 */
export function moved(event: JobEvent, byMs: number): JobEvent {
  if (Math.abs(byMs) <= toleranceMs) return event
  const instants = Object.entries(event).filter(([name]) => name.endsWith('At') || name === 'until')
  const later = instants.map(([name, at]) => [name, at === undefined ? at : Number(at) + byMs])
  return { ...event, ...Object.fromEntries(later) }
}
