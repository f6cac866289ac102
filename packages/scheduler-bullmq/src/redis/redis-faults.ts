import type { Log } from '@genmount/core'

const pauseMs = 60_000

/**
 * Logs that Redis fails: at most one line a minute, however often it fails.
 * @param effect what the operator has to expect until Redis works again
 * @returns a function to be called with each error
 */
export function redisFaults(log: Log, effect: string): (fault: unknown) => void {
  let toldAt = -Infinity
  return (cause) => {
    const now = performance.now()
    if (now - toldAt < pauseMs) return
    toldAt = now
    try {
      log.warn(`Redis does not work as it should. ${effect}`, { cause })
    } catch {
      // An error of the log must not stop wake-ups and signals.
    }
  }
}
