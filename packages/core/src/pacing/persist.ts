import pRetry from 'p-retry'
import type { Clock } from '../contracts/clock.ts'
import type { Ending } from './ending.ts'

const firstPauseMs = 50
const longestRetryPauseMs = 5000

export interface PersistContext {
  readonly clock: Clock
  /** How long to go on trying, in milliseconds. */
  readonly forMs: number
  /** Ends the tries early, after the one under way. */
  readonly givingUp: Ending
}

/** Writes what may have cost money: a store that stumbles, or is away, is asked again with growing pauses. */
export function persist<Result>(write: () => Promise<Result>, context: PersistContext): Promise<Result> {
  const { clock, givingUp } = context
  // Nearly every write succeeds, and what it would take to try again is made when it does not.
  return write().catch((fault: unknown) => {
    const untilUptime = clock.uptime() + context.forMs
    const isOver = () => givingUp.hasEnded || clock.uptime() >= untilUptime
    if (isOver()) throw fault
    return pause(firstPauseMs, context).then(() =>
      pRetry(write, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 0,
        shouldRetry: () => !isOver(),
        onFailedAttempt: ({ attemptNumber }) =>
          pause(Math.min(longestRetryPauseMs, firstPauseMs * 3 ** Math.min(attemptNumber, 9)), context),
      }),
    )
  })
}

function pause(ms: number, { clock, givingUp }: PersistContext): Promise<void> {
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
