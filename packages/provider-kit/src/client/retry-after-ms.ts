import { retryAfterMs as standardPauseMs } from '@genmount/client/retry-after'

/**
 * How long an answer asks to wait, in milliseconds. It reads `retry-after-ms` (milliseconds), which is no standard, and
 * else `Retry-After`.
 * @param now the current instant in milliseconds since the Unix epoch, from which a date counts.
 * @default Date.now()
 * @returns `undefined` when there is no such header, or none that can be parsed
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms') ?? ''
  return /^\d+(\.\d+)?$/.test(exact) ? Math.ceil(Number(exact)) : standardPauseMs({ headers }, now)
}
