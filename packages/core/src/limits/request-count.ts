import type { Clock } from '../contracts/clock.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { RequestQuota } from '../contracts/plugin/service-plugin.ts'
import type { CountedRequest, RequestCounter } from './request-counter.ts'
import { lastUsed } from '../lists/last-used.ts'

/** Counts one request of an owner who may send `perMinute` requests in a minute. */
export type CountRequest = (owner: string, perMinute: number) => RequestQuota | Promise<RequestQuota>

/** How long a shared counter may take, in milliseconds. */
const limitMs = 1000
const minuteMs = 60_000
/** The most owners whose requests are counted. An owner who has sent no request for a minute need not be remembered. */
const maxOwners = 10_000
/** Sums of fractions of a request have rounding errors. */
const rounding = 1e-6

/**
 * Counts in this process with a token bucket: an owner may send all requests of a minute at once, and gets them back
 * evenly over the minute.
 */
export function ownRequestCount(clock: Clock): CountRequest {
  const buckets = lastUsed<{ left: number; at: number }>(maxOwners)

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
