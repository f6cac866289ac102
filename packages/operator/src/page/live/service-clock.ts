import { createStore, useStore } from '@genmount/page-kit/page'

/** By how many milliseconds the clock of the service is ahead of the one of this browser. */
let aheadMs = 0
const clock = createStore({ now: Date.now() })

/** Notes what time it is at the service. */
export function setServiceClock(instant: string): void {
  aheadMs = Date.parse(instant) - Date.now()
  tickServiceClock()
}

/** Lets time pass on the page. It does so when something was read, so that ages stand still together with what they are of. */
export function tickServiceClock(): void {
  clock.change({ now: Date.now() + aheadMs })
}

/** The time at the service when something was read last, in milliseconds since the Unix epoch. */
export function useServiceNow(): number {
  return useStore(clock).now
}
