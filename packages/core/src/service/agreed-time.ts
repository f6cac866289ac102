import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import { storeUnavailable } from '../errors/store-unavailable.ts'
import type { Ending } from '../pacing/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How long a create waits for the backend to be ready, in milliseconds. The backend goes on meanwhile. */
const limitMs = 900

/**
 * Makes the function that waits until the clock of a backend is right: until the backend was ready once. Instants of
 * jobs that are made before would be those of this machine.
 * @param closed when this ends, nobody waits any more
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
