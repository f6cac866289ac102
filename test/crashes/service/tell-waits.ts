import { readFileSync } from 'node:fs'

/** The interval between two calls of `tell`, in milliseconds of the system. */
const tellEveryMs = 250

/**
 * Calls `tell` every 250 ms with the time that this process has waited for a CPU since the last call, in milliseconds
 * of the system. Linux counts this time: https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat. On
 * other systems the time is 0.
 */
export function tellWaits(tell: (forMs: number) => void): void {
  let before = waitedMs()
  setInterval(() => {
    const now = waitedMs()
    tell(Math.round(now - before))
    before = now
  }, tellEveryMs).unref()
}

/** How long the main thread of this process has waited for a CPU so far. */
function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
