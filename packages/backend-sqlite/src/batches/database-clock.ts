import type { Clock } from '@genmount/core'

/** The clock of the database, as estimated by this process. */
export interface DatabaseClock extends Clock {
  /**
   * Corrects the estimate by a reading of the database's clock.
   * @param now the instant that the database read, in milliseconds since the Unix epoch
   * @param sentAt the instant of the host's clock before the batch was sent
   */
  read(now: number, sentAt: number): void
}

/**
 * Makes a clock that follows the database, so that all functions agree on the time, whatever their hosts show. Until the first
 * reading it shows the time of the host. It follows the host's time of day and not its uptime, because a host that was frozen
 * together with its machine sees that in its time of day alone.
 */
export function databaseClock(host: Clock): DatabaseClock {
  /** The database's instant minus the host's, in milliseconds. */
  let offset: number | undefined
  return {
    uptime: () => host.uptime(),
    after: (delayMs, run) => host.after(delayMs, run),
    now: () => Math.round(host.now() + (offset ?? 0)),
    read(now, sentAt) {
      // The database read its clock between `sentAt` and now. So the offset lies within these bounds, and an earlier estimate
      // within the bounds stays as it is.
      const [least, most] = [now - host.now(), now - sentAt]
      offset = offset === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, offset))
    },
  }
}
