import { accepts, type Check } from '../errors/check-option.ts'

/**
 * Counts the requests of owners in a place that several processes share. The limiters of the package
 * `rate-limiter-flexible` fit without changes, with a `duration` of 60 and `points` of at least the largest
 * `requestsPerMinute`.
 * @example new RateLimiterRedis({ storeClient: redis, points: 1_000_000, duration: 60 })
 */
export interface RequestCounter {
  /**
   * Counts one request. It may reject with a {@link CountedRequest}, which means that the request exceeds the limit.
   * @throws an Error when the request can't be counted. It is then refused with 503 `store_unavailable`
   */
  consume(owner: string): Promise<CountedRequest>
}

/** What a {@link RequestCounter} says about a request. */
export interface CountedRequest {
  /** How many requests the owner has sent in this minute, including this one. */
  readonly consumedPoints: number
  /** In how many milliseconds the next minute begins. */
  readonly msBeforeNext: number
}

/** Checks the option `requestCounter`. */
export const checkRequestCounter: Check<RequestCounter> = accepts(
  'an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible',
  (value) => typeof (value as Partial<RequestCounter> | null)?.consume === 'function',
)
