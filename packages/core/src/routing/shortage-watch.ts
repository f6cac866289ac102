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

/** Stops the submission of new jobs while this process lacks the file descriptors or the memory to reach providers. */
export interface ShortageWatch {
  /** For how many milliseconds no new job may be submitted to any provider; 0 when one may be submitted now. */
  pauseMs(): number
  /**
   * Begins or prolongs the pause if the error of a call shows such a shortage.
   * @returns whether it does; then the error says nothing about the provider
   */
  notice(error: unknown): boolean
}

/** Makes a watch that pauses for 5 seconds after each such error, and writes to the log at most once a minute. */
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
