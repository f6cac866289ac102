/** The most that one amount counts, in US dollars, so that sums of amounts stay exact whatever a vendor or an app says. */
const mostUsd = 1_000_000

/**
 * An amount as a whole number of millionths of a US dollar, so that sums are exact.
 * @param usd at least 0, in US dollars. More than a million counts as a million
 */
export function microUsdOf(usd: number): number {
  return Math.round(Math.min(usd, mostUsd) * 1e6)
}

/** What one grant may add or take, in words. */
export const grantWords = `US dollars from -${mostUsd} to ${mostUsd}, of at least a millionth and not 0`

/** Whether one grant may add or take this amount. */
export function isGrantAmount(usd: unknown): usd is number {
  return typeof usd === 'number' && Math.abs(usd) <= mostUsd && Math.round(usd * 1e6) !== 0
}
