import pRetry from 'p-retry'
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

/** The fault of one try. p-retry would not repeat after a TypeError, or after a thrown value that is no Error. */
class Failure extends Error {
  readonly fault: unknown

  constructor(fault: unknown) {
    super('The try has failed.')
    this.fault = fault
  }
}

/**
 * Writes something that may have cost money. If a write fails, it is tried again after pauses that grow from 50 ms to
 * 5 seconds.
 * @throws the error of the last try
 */
export function persist<Result>(write: () => Promise<Result>, context: PersistContext): Promise<Result> {
  const { clock, givingUp } = context
  // Nearly every write succeeds at once, so the state for retries is set up only after a failure.
  return write().catch(async (fault: unknown) => {
    const untilUptime = clock.uptime() + context.forMs
    const isOver = () => givingUp.hasEnded || clock.uptime() >= untilUptime
    if (isOver()) throw fault
    await pause(firstPauseMs, context)
    const attempt = () => write().catch((next: unknown) => Promise.reject(new Failure(next)))
    return pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      shouldRetry: () => !isOver(),
      onFailedAttempt: ({ attemptNumber }) =>
        pause(Math.min(longestRetryPauseMs, firstPauseMs * 3 ** Math.min(attemptNumber, 9)), context),
    }).catch((last: unknown) => Promise.reject(last instanceof Failure ? last.fault : last))
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
