import type { GenmountError } from '../errors/genmount-error.ts'
import { jittered } from './pause.ts'

/** A service that asks for a longer pause gets no retry: its error says how long it asks to wait. */
const maxPauseMs = 60_000

/** These may go well when they are sent again. */
const passingStatuses: readonly unknown[] = [408, 429, 502, 503, 504]
const passingCodes: readonly string[] = ['network_error', 'timeout', 'idempotency_in_progress']

/** Whether the same request may go well later. A budget that is used up does not come back within seconds. */
export function isPassing({ code, status }: GenmountError): boolean {
  return passingCodes.includes(code) || (passingStatuses.includes(status) && code !== 'insufficient_quota')
}

/**
 * How long to wait before a request is sent again, in milliseconds: as long as the service asks for, otherwise 0.5 s, 1 s,
 * 2 s and so on up to 8 s; and up to a quarter more.
 * @param retry how many times the request was sent again before
 * @returns `undefined` where it must not be sent again
 */
export function retryPauseMs(error: GenmountError, retry: number): number | undefined {
  if (!isPassing(error)) return undefined
  const ms = error.retryAfterMs ?? Math.min(500 * 2 ** retry, 8000)
  return ms > maxPauseMs ? undefined : jittered(ms)
}
