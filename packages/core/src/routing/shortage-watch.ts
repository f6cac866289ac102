import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { type Shortage, shortageIn } from '../addresses/never-connected.ts'

const pauseMs = 5000
const tellEveryMs = 60_000

const inWords: Record<Shortage, string> = {
  EMFILE: 'This process has run out of file descriptors',
  ENFILE: 'This machine has run out of file descriptors',
  ENOMEM: 'This machine has run out of memory',
  ENOBUFS: 'This machine has run out of memory for sockets',
}

/** Keeps new jobs from all providers of a service while its own process lacks descriptors or memory to reach them. */
export interface ShortageWatch {
  /** How long no new job may be submitted to any provider, in milliseconds; 0 when one may. */
  pauseMs(): number
  /** Whether a call failed for such a shortage, and so tells nothing of the provider. Begins the pause, or prolongs it. */
  notice(error: unknown): boolean
}

/** Pauses for 5 seconds after each call that has failed so, and tells the log once a minute at the most. */
export function shortageWatch(clock: Clock, log: Log): ShortageWatch {
  let pausedUntil = 0
  let toldAt = Number.NEGATIVE_INFINITY

  return {
    pauseMs: () => Math.max(0, pausedUntil - clock.uptime()),
    notice(error) {
      const shortage = shortageIn(error)
      if (!shortage) return false
      const now = clock.uptime()
      pausedUntil = now + pauseMs
      if (now - toldAt >= tellEveryMs) {
        toldAt = now
        log.warn(`${inWords[shortage]} (${shortage}): no new jobs are submitted for ${pauseMs / 1000} s.`)
      }
      return true
    },
  }
}
