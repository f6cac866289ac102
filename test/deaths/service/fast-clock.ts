import { type Clock, systemClock } from '@genmount/core'

/** The options of `fastClock`. Instants are in milliseconds since the Unix epoch. */
export interface FastClockOptions {
  /** How many seconds the clock runs in one second of the system. */
  readonly speed: number
  /** When the clock of the system shows `systemAt`, this clock shows `showsAt`. */
  readonly systemAt: number
  readonly showsAt: number
}

/**
 * A clock that runs faster than that of the system. It shows the same time in all processes with the same
 * options.
 * @param options gives what is true now
 */
export function fastClock(options: () => FastClockOptions): Clock {
  const system = systemClock()
  return {
    now() {
      const { speed, systemAt, showsAt } = options()
      return Math.round(showsAt + (system.now() - systemAt) * speed)
    },
    uptime: () => system.uptime() * options().speed,
    after: (delayMs, run) => system.after(Math.ceil(delayMs / options().speed), run),
  }
}
