import type { Clock } from '@genmount/core'

/** The clock of the database server, as far as this process can tell. */
export interface DatabaseClock extends Clock {
  /**
   * Takes a reading of the server's clock into account.
   * @param now the instant that the server read, in milliseconds since the Unix epoch
   * @param sentAt the host clock's uptime before the server was asked
   * @param heardAt the host clock's uptime when the answer was there
   */
  read(now: number, sentAt: number, heardAt: number): void
}

/**
 * A clock that goes by the server, so that all processes agree on what time it is, whatever their machines say. Between
 * two readings it goes by the host's uptime. Until the first reading it shows the time of the host.
 */
export function databaseClock(host: Clock): DatabaseClock {
  /** The server's instant minus the host's uptime. */
  let offset: number | undefined
  return {
    uptime: () => host.uptime(),
    after: (delayMs, run) => host.after(delayMs, run),
    now: () => (offset === undefined ? host.now() : Math.round(host.uptime() + offset)),
    read(now, sentAt, heardAt) {
      // The server read its clock at some moment between the two. So the offset lies within these bounds, and what
      // earlier readings have found stays as it is if it lies within them, too.
      const [least, most] = [now - heardAt, now - sentAt]
      offset = offset === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, offset))
    },
  }
}
