import pRetry from 'p-retry'

/** Writes what may have cost money: a store that stumbles is asked again, for some six seconds. */
export function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  // Nearly every write succeeds, and what it would take to try again is made when it does not.
  return write().catch(() => pRetry(write, { retries: 5, minTimeout: 50, factor: 3 }))
}
