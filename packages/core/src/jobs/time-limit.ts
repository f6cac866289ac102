import type { Clock } from '../contracts/clock.ts'

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
    const cancel = clock.after(limitMs, () =>
      reject(new Error(`The ${what} has not answered within ${limitMs} ms.`)),
    )
    const settle =
      <Value>(pass: (value: Value) => void) =>
      (value: Value) => {
        cancel()
        pass(value)
      }
    Promise.resolve().then(call).then(settle(resolve), settle(reject))
  })
}
