import type { Clock } from '../contracts/clock.ts'
import type { Ending } from '../contracts/ending.ts'

/** If a timer fires this much too late, in milliseconds, its whole process was held up: frozen, or too busy. */
const heldUpMs = 1000
/**
 * How long to wait after the time is up, in milliseconds, so that the process can read answers that arrived in time: if
 * the process was held up, and otherwise.
 */
const catchUpMs = { heldUp: 2000, other: 100 }

/**
 * Calls `run` 100 ms after `limitMs` has passed by the clock's uptime; 2 seconds later than that if the process was
 * held up. After a freeze, runtimes fire timers before they read the answers that arrived during the freeze, and these
 * answers must still count.
 * @returns a function that cancels the call
 */
export function whenTimeIsUp(clock: Clock, limitMs: number, run: () => void): () => void {
  const endsAt = clock.uptime() + limitMs
  let cancel = clock.after(limitMs, () => {
    const isHeldUp = clock.uptime() - endsAt >= heldUpMs
    // After those 2 seconds the process may have been held up again, so this is checked again.
    cancel = isHeldUp ? whenTimeIsUp(clock, catchUpMs.heldUp, run) : clock.after(catchUpMs.other, run)
  })
  return () => cancel()
}

/**
 * Makes a call to code outside core (a store, a provider, the app) and waits for its answer until `limitMs`
 * milliseconds are over, as `whenTimeIsUp` counts them. A later answer is ignored.
 * @param what the name of the called component, for the error message
 * @param cut when this ends, the wait ends too. If it has already ended, no call is made
 * @throws the error of the call, or an error that names the component that has not answered
 */
export function withinLimit<Result>(
  clock: Clock,
  limitMs: number,
  what: string,
  call: () => Promise<Result> | Result,
  cut?: Ending,
): Promise<Result> {
  const hasClosed = () => new Error(`The ${what} had not answered when the service closed.`)
  if (cut?.hasEnded) return Promise.reject(hasClosed())
  return new Promise((resolve, reject) => {
    const cancel = whenTimeIsUp(clock, limitMs, () =>
      reject(new Error(`The ${what} has not answered within ${limitMs} ms.`)),
    )
    const uncut = cut?.onEnd(() => {
      cancel()
      reject(hasClosed())
    })
    // Every call of a job store passes here, and `finally` would make four promises and two functions more.
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        cancel()
        uncut?.()
        end(value)
      }
    // The call begins later, because `close()` may be called while the parts that it closes are just being started.
    Promise.resolve().then(call).then(settle(resolve), settle(reject))
  })
}

/** Waits for `work` for at most `limitMs` milliseconds. An error of `work` is ignored. */
export function upTo(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve)
    const end = () => {
      cancel()
      resolve()
    }
    work.then(end, end)
  })
}
