import type { Clock } from '../contracts/clock.ts'

/** A timer that fires later than this was held up together with its whole process, which was frozen or too busy. */
const heldUpMs = 1000
/** How long a process is given to read answers that came before the time was up: one that was held up, and any other. */
const catchUpMs = { heldUp: 2000, other: 100 }

/**
 * Calls `run` soon after the time is up, by the clock's uptime. After a freeze, runtimes fire timers before they read the
 * answers that have come meanwhile. So answers are given some more time before `run` is called.
 * @returns a function that calls it off
 */
export function whenTimeIsUp(clock: Clock, limitMs: number, run: () => void): () => void {
  const endsAt = clock.uptime() + limitMs
  let cancel = clock.after(limitMs, () => {
    const isHeldUp = clock.uptime() - endsAt >= heldUpMs
    // The process may be held up again in that time.
    cancel = isHeldUp ? whenTimeIsUp(clock, catchUpMs.heldUp, run) : clock.after(catchUpMs.other, run)
  })
  return () => cancel()
}

/**
 * Makes a call that leaves core, and waits for it no longer than `limitMs` of the clock's uptime. An answer that comes
 * later is ignored.
 * @throws the call's own error, or one that says what did not answer
 */
export function withinLimit<Result>(
  clock: Clock,
  limitMs: number,
  what: string,
  call: () => Promise<Result> | Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = whenTimeIsUp(clock, limitMs, () =>
      reject(new Error(`The ${what} has not answered within ${limitMs} ms.`)),
    )
    Promise.resolve().then(call).finally(cancel).then(resolve, reject)
  })
}
