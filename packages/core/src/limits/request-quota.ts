import { LRUCache } from 'lru-cache'
import type { Clock } from '../contracts/clock.ts'
import { accepts, type Check } from '../errors/check-option.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How many requests an owner may still send. */
export interface RequestQuota {
  /** How many requests the owner may send in a minute. */
  readonly limit: number
  /** How many requests are left now. */
  readonly remaining: number
  /** In how many seconds the owner may send more requests, rounded up. 0 when all requests are left. */
  readonly moreInSeconds: number
  /** Whether this request exceeds the limit. */
  readonly isExceeded: boolean
}

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

/** Counts one request of an owner who may send `perMinute` requests in a minute. */
export type CountRequest = (owner: string, perMinute: number) => RequestQuota | Promise<RequestQuota>

/** How long a shared counter may take, in milliseconds. */
const limitMs = 1000
const minuteMs = 60_000
/** The most owners whose requests are counted. An owner who has sent no request for a minute need not be remembered. */
const maxOwners = 10_000
/** Sums of fractions of a request have rounding errors. */
const rounding = 1e-6

/** Checks the option `requestCounter`. */
export const checkRequestCounter: Check<RequestCounter> = accepts(
  'an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible',
  (value) => typeof (value as Partial<RequestCounter> | null)?.consume === 'function',
)

/**
 * Counts in this process with a token bucket: an owner may send all requests of a minute at once, and gets them back
 * evenly over the minute.
 */
export function ownRequestCount(clock: Clock): CountRequest {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: maxOwners })

  return (owner, perMinute) => {
    const now = clock.uptime()
    const bucket = buckets.get(owner) ?? { left: perMinute, at: now }
    const left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / minuteMs) + rounding
    const isExceeded = left < 1
    bucket.left = Math.max(0, left - rounding - (isExceeded ? 0 : 1))
    bucket.at = now
    buckets.set(owner, bucket)
    const remaining = Math.floor(bucket.left + rounding)
    const moreInMs = ((remaining + 1 - bucket.left) * minuteMs) / perMinute
    return { limit: perMinute, remaining, moreInSeconds: Math.ceil(moreInMs / 1000 - rounding), isExceeded }
  }
}

/** Counts with the app's counter. */
export function sharedRequestCount(counter: RequestCounter, clock: Clock): CountRequest {
  return async (owner, perMinute) => {
    let isRefused = false
    const counted: unknown = await withinLimit(clock, limitMs, 'app’s requestCounter', () =>
      counter.consume(owner),
    ).catch((reason: unknown) => {
      isRefused = true
      return reason
    })
    const { consumedPoints, msBeforeNext } = (counted ?? {}) as Partial<CountedRequest>
    if (!Number.isFinite(consumedPoints) || !Number.isFinite(msBeforeNext))
      throw new GenerationError(
        'store_unavailable',
        'The requests can not be counted now. Try again later.',
        {
          cause:
            counted instanceof Error ? counted : new TypeError('requestCounter has not counted the request.'),
        },
      )
    const isExceeded = isRefused || consumedPoints! > perMinute
    const remaining = isExceeded ? 0 : Math.floor(perMinute - consumedPoints!)
    const moreInSeconds = Math.max(1, Math.ceil(msBeforeNext! / 1000))
    return { limit: perMinute, remaining, moreInSeconds, isExceeded }
  }
}
