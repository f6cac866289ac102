import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import { storeUnavailable } from '../errors/store-unavailable.ts'
import type { Ending } from '../contracts/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How long a create waits for the backend to be ready, in milliseconds. The backend continues to open after that. */
const limitMs = 900

/**
 * Makes the function that waits until the clock of a backend is right, which is when the backend has been ready once.
 * Jobs that are created earlier would have the instants of this machine.
 * @param closed when this ends, all waiting ends
 * @returns a function that rejects with a GenerationError `store_unavailable` if the backend is not ready in time
 */
export function agreedTime(backend: Backend, clock: Clock, closed: Ending): () => Promise<void> | undefined {
  let isRight = false
  return () => {
    if (isRight) return undefined
    return withinLimit(clock, limitMs, 'backend', () => backend.ready?.(), closed).then(
      () => void (isRight = true),
      (cause: unknown) => {
        throw storeUnavailable(cause)
      },
    )
  }
}
