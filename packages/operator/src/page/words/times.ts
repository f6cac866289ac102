import { plural } from '@genmount/page-kit/page'

/** A length of time in at most two units: `12 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function span(milliseconds: number): string {
  if (milliseconds < 1) return 'less than 1 ms'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return joined(hours, 'h', minutes % 60, 'min')
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function joined(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`
}

/** The time of day of an instant, here: `14:03`, or with seconds `14:03:07`. */
export function clockTime(at: number, hasSeconds = false): string {
  const second = hasSeconds ? ({ second: '2-digit' } as const) : {}
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...second })
}

/** An instant here, in words: the time of day, with the date if it is not today's. */
export function instantWords(instant: string, now: number): string {
  const at = new Date(instant)
  const time = clockTime(at.getTime(), true)
  if (at.toDateString() === new Date(now).toDateString()) return time
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}, ${time}`
}

/** How long ago an instant was, or how long it is until then. */
export function relative(instant: string, now: number): string {
  const ms = now - Date.parse(instant)
  if (Math.abs(ms) < 1000) return 'now'
  return ms > 0 ? `${span(ms)} ago` : `in ${span(-ms)}`
}

/** A sentence with its instants (`2026-11-28T14:03:07.000Z`) in the words of this place. */
export function withLocalTimes(sentence: string, now: number): string {
  return sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => {
    const at = Date.parse(instant)
    return Number.isNaN(at) ? instant : `${instantWords(instant, now)} (${relative(instant, now)})`
  })
}

export const steps = (count: number) => plural(count, 'step')
