import type { Clock } from '../contracts/clock.ts'

/** Lets a limited number of steps be under way, in the order in which they come. */
export interface Lane {
  /** Whether a step that comes now has to wait for its turn. */
  isFull(): boolean
  /** Runs the step when it has a place, at once if there is one. Settles with it. */
  run(step: () => Promise<void>): Promise<void>
}

/**
 * @param longestMs how long a step may keep its place from others: one that hangs, or never comes back (a worker's
 * request that is over), must not hold up all that come behind it
 */
export function lane(clock: Clock, count: number, longestMs: number): Lane {
  /** Until when each keeps its place, in the order in which they came. */
  const inside = new Map<object, number>()
  const waiting = new Set<() => void>()
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    for (const [place, until] of inside) if (until <= clock.now()) inside.delete(place)
    for (const call of waiting) {
      if (inside.size >= count) break
      waiting.delete(call)
      call()
    }
    cancelTimer?.()
    const [until] = waiting.size > 0 ? inside.values() : []
    cancelTimer = until === undefined ? undefined : clock.after(until - clock.now(), callNext)
  }

  async function enter(step: () => Promise<void>): Promise<void> {
    const place = {}
    inside.set(place, clock.now() + longestMs)
    try {
      await step()
    } finally {
      if (inside.delete(place) && waiting.size > 0) callNext()
    }
  }

  return {
    isFull: () => inside.size >= count,
    run(step) {
      if (inside.size < count) return enter(step)
      return new Promise((resolve) => {
        waiting.add(() => resolve(enter(step)))
        callNext()
      })
    },
  }
}
