import type { Log } from '@genmount/core'

const pauseMs = 60_000

/**
 * Tells the log that Redis is in trouble: at most one line a minute, however often something fails.
 * @param effect what the operator has to expect while it lasts
 * @returns a function to be called with each fault
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
      // A log that fails must not stop wake-ups and signals.
    }
  }
}
