import type { Clock } from '../contracts/clock.ts'

/** A timer that is later than this was held up with all of its process: frozen, or too busy. */
const heldUpMs = 1000
/** How long a process that was held up may take to read the answers that have come meanwhile, and any other one. */
const catchUpMs = { heldUp: 2000, other: 100 }

/**
 * Calls `run` soon after the time is up, by the clock's uptime. Timers come before the answers that have waited for as
 * long, above all after a freeze, so those get their chance first.
 * @returns a function that calls it off
 */
export function whenTimeIsUp(clock: Clock, limitMs: number, run: () => void): () => void {
  const endsAt = clock.uptime() + limitMs
  let cancel = clock.after(limitMs, () => {
    const isHeldUp = clock.uptime() - endsAt >= heldUpMs
    // Which may be held up again.
    cancel = isHeldUp ? whenTimeIsUp(clock, catchUpMs.heldUp, run) : clock.after(catchUpMs.other, run)
  })
  return () => cancel()
}

/**
 * Makes a call that leaves core, and waits for it no longer than `limitMs` of the clock's uptime. What comes of the call
 * later is nobody's concern.
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
