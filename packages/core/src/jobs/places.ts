import pLimit from 'p-limit'
import type { Clock } from '../contracts/clock.ts'

/** Who takes longer than this gives the place up: what hangs must not hold up all that comes behind it. */
const longestPlaceMs = 5000

/** Runs steps in the order in which they come, each once it has one of `count` places. Resolves with its step. */
export function places(clock: Clock, count: number): (step: () => Promise<void>) => Promise<void> {
  const limit = pLimit(count)
  return (step) =>
    new Promise((resolve, reject) => {
      void limit(() => {
        const stepped = step()
        stepped.then(resolve, reject)
        return new Promise<void>((leave) => {
          const cancel = clock.after(longestPlaceMs, leave)
          const end = () => {
            cancel()
            leave()
          }
          stepped.then(end, end)
        })
      })
    })
}
