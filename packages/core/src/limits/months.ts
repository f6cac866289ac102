/** A calendar month, in milliseconds since the Unix epoch. */
export interface Month {
  /** The first instant of the month. */
  readonly from: number
  /** The first instant of the next month. */
  readonly until: number
}

/** Longer than a month can be, in milliseconds. */
const longestMs = 32 * 24 * 60 * 60_000

/**
 * Whether the runtime knows the time zone.
 * @param timeZone a name of the IANA database, such as `Europe/Berlin`
 */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format(0)
    return true
  } catch {
    return false
  }
}

/** Makes the function that returns the month of an instant by the calendar of a time zone. */
export function months(timeZone: string): (at: number) => Month {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric' })
  let latest: Month = { from: 0, until: 0 }

  return (at) => {
    if (at >= latest.from && at < latest.until) return latest
    const name = format.format(at)
    const isOther = (instant: number) => format.format(instant) !== name
    const from = firstInstant(at - longestMs, at, (instant) => !isOther(instant))
    return (latest = { from, until: firstInstant(at, at + longestMs, isOther) })
  }
}

/** The first whole millisecond after `low` that is past a boundary. `low` is not past it, `high` is. */
function firstInstant(low: number, high: number, isPast: (instant: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isPast(middle)) high = middle
    else low = middle
  }
  return high
}
