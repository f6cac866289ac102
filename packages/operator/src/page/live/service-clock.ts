import { useNow } from '@genmount/page-kit/page'

/** By how many milliseconds the clock of the service is ahead of the one of this browser. */
let aheadMs = 0

/** Notes what time it is at the service. */
export function setServiceClock(instant: string): void {
  aheadMs = Date.parse(instant) - Date.now()
}

/** The time at the service, in milliseconds since the Unix epoch. It renders the component again every few seconds. */
export function useServiceNow(): number {
  return useNow(5_000) + aheadMs
}
