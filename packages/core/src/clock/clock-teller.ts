import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'
import { beliefMs } from './clock-steps.ts'

/** Makes the function that tells the operator when the clock was set, at most once a minute for each direction. */
export function clockTeller(log: Log, clock: Clock): (byMs: number) => void {
  const occurrence = onceAMinute(clock)
  return (byMs) => {
    const direction = byMs > 0 ? 'ahead' : 'back'
    if (!occurrence(direction)) return
    log.error(
      `The clock was set ${direction} by ${inWords(Math.abs(byMs))}. No job, file or upload expires before it has run evenly for ${inWords(beliefMs)}; if it is wrong, set it right before then.`,
    )
  }
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes === 0) return `${Math.round(ms / 1000)} s`
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
}
