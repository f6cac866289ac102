import type { Clock } from '../contracts/clock.ts'
import { fairQueue } from './fair-queue.ts'

/** Runs at most a certain number of steps at the same time. The others wait. */
export interface Lane {
  /** Whether a step that comes now has to wait. */
  isFull(): boolean
  /**
   * Runs the step as soon as there is a place. Urgent steps come before the others; among each of the two kinds, owners
   * take turns. The promise settles as the step does.
   * @param owner whose step it is. When left out, all such steps count as those of one owner, and keep their order
   */
  run(step: () => Promise<void>, isUrgent?: boolean, owner?: string): Promise<void>
  /** How many steps have a place, and how many wait for one. */
  counts(): { readonly running: number; readonly waiting: number }
}

/**
 * Makes a lane.
 * @param count how many steps may run at the same time
 * @param longestMs after how many milliseconds a step loses its place to a waiting one. The step itself goes on. A step
 *   that hangs, or never settles because it belongs to a worker's request that is over, must not hold up the steps
 *   behind it
 */
export function lane(clock: Clock, count: number, longestMs: number): Lane {
  /** For each step that has a place: until which uptime it keeps the place. In the order in which the steps began. */
  const inside = new Map<object, number>()
  const urgent = fairQueue<() => void>()
  const others = fairQueue<() => void>()
  let waiting = 0
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    const now = clock.uptime()
    for (const [place, until] of inside) {
      if (until > now) break
      inside.delete(place)
    }
    while (inside.size < count && waiting > 0) {
      waiting--
      ;(urgent.next() ?? others.next())?.()
    }
    cancelTimer?.()
    // When this timer fires, every step that has a place now has ended or has lost its place.
    cancelTimer = waiting > 0 ? clock.after(longestMs, callNext) : undefined
  }

  async function enter(step: () => Promise<void>): Promise<void> {
    const place = {}
    inside.set(place, clock.uptime() + longestMs)
    try {
      await step()
    } finally {
      if (inside.delete(place) && waiting > 0) callNext()
    }
  }

  return {
    isFull: () => inside.size >= count,
    counts: () => ({ running: inside.size, waiting }),
    run(step, isUrgent = false, owner = '') {
      const queue = isUrgent ? urgent : others
      if (inside.size < count) {
        queue.passed(owner)
        return enter(step)
      }
      return new Promise((resolve) => {
        waiting++
        queue.add(owner, () => resolve(enter(step)))
        callNext()
      })
    },
  }
}
