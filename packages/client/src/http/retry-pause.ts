import type { GenmountError } from '../errors/genmount-error.ts'
import { jittered } from './pause.ts'

/**
 * The longest pause before a retry. If the service asks for a longer pause, the client does not retry, and the error
 * has the length of the pause.
 */
const maxPauseMs = 60_000

const passing: readonly string[] = ['network_error', 'timeout', 'idempotency_in_progress']

/**
 * Whether the same request may succeed within seconds. A used-up budget does not come back that soon, and
 * `internal_error` is the service's last word, unlike the 500 of a proxy. Proxies have statuses of their own above 504,
 * such as Cloudflare's 520 to 530. 501 and 505 say that the server can't do what the request asks for.
 */
export function isPassing({ code, status = 0 }: GenmountError): boolean {
  if (status >= 500) return code !== 'internal_error' && ![501, 505].includes(status)
  return passing.includes(code) || ([408, 425, 429].includes(status) && code !== 'insufficient_quota')
}

/**
 * How long to wait before a retry, in milliseconds: as long as the service asks for, otherwise 0.5 s, 1 s, 2 s and so
 * on up to 8 s. Up to 25 % is added to either.
 * @param retry the number of retries so far
 * @returns `undefined` when the request must not be sent again
 */
export function retryPauseMs(error: GenmountError, retry: number): number | undefined {
  if (!isPassing(error)) return undefined
  const ms = error.retryAfterMs ?? Math.min(500 * 2 ** retry, 8000)
  return ms > maxPauseMs ? undefined : jittered(ms)
}
