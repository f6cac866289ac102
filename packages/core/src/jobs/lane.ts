import type { Clock } from '../contracts/clock.ts'

/** Lets a limited number of steps be under way. */
export interface Lane {
  /** Whether a step that comes now has to wait for its turn. */
  isFull(): boolean
  /** Runs the step when it has a place, at once if there is one; urgent ones before the others. Settles with it. */
  run(step: () => Promise<void>, isUrgent?: boolean): Promise<void>
}

/**
 * @param longestMs how long a step may keep its place from others: one that hangs, or never comes back (a worker's
 * request that is over), must not hold up all that come behind it
 */
export function lane(clock: Clock, count: number, longestMs: number): Lane {
  /** Until which uptime each keeps its place, in the order in which they came. */
  const inside = new Map<object, number>()
  const urgent = new Set<() => void>()
  const others = new Set<() => void>()
  const areWaiting = () => urgent.size + others.size > 0
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    const now = clock.uptime()
    for (const [place, until] of inside) {
      if (until > now) break
      inside.delete(place)
    }
    for (const waiting of [urgent, others]) {
      for (const call of waiting) {
        if (inside.size >= count) break
        waiting.delete(call)
        call()
      }
    }
    cancelTimer?.()
    // By then, whoever is inside now has left or has used up its time.
    cancelTimer = areWaiting() ? clock.after(longestMs, callNext) : undefined
  }

  async function enter(step: () => Promise<void>): Promise<void> {
    const place = {}
    inside.set(place, clock.uptime() + longestMs)
    try {
      await step()
    } finally {
      if (inside.delete(place) && areWaiting()) callNext()
    }
  }

  return {
    isFull: () => inside.size >= count,
    run(step, isUrgent = false) {
      if (inside.size < count) return enter(step)
      return new Promise((resolve) => {
        ;(isUrgent ? urgent : others).add(() => resolve(enter(step)))
        callNext()
      })
    },
  }
}
