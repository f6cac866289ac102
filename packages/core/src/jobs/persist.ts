import pRetry from 'p-retry'

/** Writes what may have cost money: a store that stumbles is asked again, for some six seconds. */
export function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  return pRetry(write, { retries: 5, minTimeout: 50, factor: 3 })
}
