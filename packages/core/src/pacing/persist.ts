import type { Clock } from '../contracts/clock.ts'
import type { Ending } from '../contracts/ending.ts'

const firstPauseMs = 50
const longestRetryPauseMs = 5000

/** How long {@link persist} keeps trying. */
export interface PersistContext {
  readonly clock: Clock
  /** How long to keep trying, in milliseconds of the clock's uptime. */
  readonly forMs: number
  /** When this ends, no further try begins. A try that is under way is completed. */
  readonly givingUp: Ending
}

/**
 * Writes something that may have cost money. If a write fails, it is tried again after pauses that grow from 50 ms to
 * 5 seconds.
 * @throws the error of the last try
 */
export function persist<Result>(write: () => Promise<Result>, context: PersistContext): Promise<Result> {
  const { clock, givingUp } = context
  // Nearly every write succeeds at once, so the state for retries is set up only after a failure.
  return write().catch(async (first: unknown) => {
    let fault = first
    const untilUptime = clock.uptime() + context.forMs
    for (let pauseMs = firstPauseMs; !givingUp.hasEnded && clock.uptime() < untilUptime; pauseMs *= 3) {
      await pause(Math.min(longestRetryPauseMs, pauseMs), context)
      if (givingUp.hasEnded) break
      try {
        return await write()
      } catch (next) {
        fault = next
      }
    }
    throw fault
  })
}

/** Waits for `ms` milliseconds, or until `givingUp` ends. */
export function pause(
  ms: number,
  { clock, givingUp }: Pick<PersistContext, 'clock' | 'givingUp'>,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      takeBack()
      resolve()
    })
    const takeBack = givingUp.onEnd(() => {
      cancel()
      resolve()
    })
  })
}
