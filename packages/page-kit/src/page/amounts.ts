/** An amount of US dollars: two decimals, or more for a small amount. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0'
  const digits = amount >= 0.1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(amount)))
  return `$${amount.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

/** A length of time: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** About how long something takes: `0.5 s`, `5 s`, `2 min`. */
export function roughTime(seconds: number): string {
  if (seconds < 1) return `${seconds} s`
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** How long it is until an instant: `6 days`, `3 hours`, `5 minutes`. */
export function timeUntil(instant: string, now: number): string {
  const minutes = (Date.parse(instant) - now) / 60_000
  if (minutes < 1) return 'less than a minute'
  if (minutes < 90) return plural(Math.round(minutes), 'minute')
  if (minutes < 36 * 60) return plural(Math.round(minutes / 60), 'hour')
  return plural(Math.round(minutes / 60 / 24), 'day')
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
