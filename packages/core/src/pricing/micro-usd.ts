/** The most that one amount counts, in US dollars, so that sums of amounts stay exact whatever a vendor reports. */
const mostUsd = 1_000_000

/**
 * An amount as a whole number of millionths of a US dollar, so that sums are exact.
 * @param usd at least 0, in US dollars. More than a million counts as a million
 */
export function microUsdOf(usd: number): number {
  return Math.round(Math.min(usd, mostUsd) * 1e6)
}
