import type { Clock } from '../contracts/clock.ts'
import { throwUnavailable } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/**
 * How long a create waits for a sum from the job store, in milliseconds, so that it fails within 2 seconds when the
 * store hangs. A longer read continues, for the next create.
 */
const readLimitMs = 400

/** Reads a sum for a create. @param what what is read, for the log @throws GenerationError `store_unavailable` */
export function readInTime<Sum>(clock: Clock, what: string, read: () => Promise<Sum>): Promise<Sum> {
  return withinLimit(clock, readLimitMs, what, read).catch(throwUnavailable)
}
