import { type Clock, systemClock } from '@genmount/core'

/** Instants in milliseconds since the Unix epoch. */
export interface FastClockOptions {
  /** How many of its seconds make one of the system's. */
  readonly speed: number
  /** When the system's clock shows `systemAt`, this one shows `showsAt`. */
  readonly systemAt: number
  readonly showsAt: number
}

/** A clock that goes faster than the system's, and in step with that of every process that has the same options. */
export function fastClock({ speed, systemAt, showsAt }: FastClockOptions): Clock {
  const system = systemClock()
  return {
    now: () => Math.round(showsAt + (system.now() - systemAt) * speed),
    uptime: () => system.uptime() * speed,
    after: (delayMs, run) => system.after(Math.ceil(delayMs / speed), run),
  }
}
