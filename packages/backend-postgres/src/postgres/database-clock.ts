import type { Clock } from '@genmount/core'

/** The clock of the database server, as estimated by this process. */
export interface DatabaseClock extends Clock {
  /**
   * Corrects the estimate by a reading of the server's clock.
   * @param now the instant that the server read, in milliseconds since the Unix epoch
   * @param sentAt the host clock's uptime before the statement was sent, in milliseconds
   * @param heardAt the host clock's uptime when the answer arrived, in milliseconds
   */
  read(now: number, sentAt: number, heardAt: number): void
}

/**
 * If a reading is further from the estimate, in milliseconds, the server's clock was set. A smaller step does not make a
 * process look dead: one without a session may be silent for 30 s.
 */
const leastStepMs = 10_000

/**
 * Makes a clock that follows the server, so that all processes agree on the time, whatever the clocks of their machines
 * show. Between two readings it follows the host's uptime. Until the first reading it shows the time of the host.
 * @param onStep called when the server's clock was set
 */
export function databaseClock(host: Clock, onStep: () => void = () => {}): DatabaseClock {
  /** The server's instant minus the host's uptime, in milliseconds. */
  let offset: number | undefined
  return {
    uptime: () => host.uptime(),
    after: (delayMs, run) => host.after(delayMs, run),
    now: () => (offset === undefined ? host.now() : Math.round(host.uptime() + offset)),
    read(now, sentAt, heardAt) {
      // The server read its clock at some moment between `sentAt` and `heardAt`. So the offset lies within these
      // bounds, and an earlier estimate within the bounds stays as it is.
      const [least, most] = [now - heardAt, now - sentAt]
      const before = offset
      offset = before === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, before))
      if (before !== undefined && Math.abs(offset - before) > leastStepMs) onStep()
    },
  }
}
