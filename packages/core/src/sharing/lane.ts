import type { Clock } from '../contracts/clock.ts'
import { fairQueue } from './fair-queue.ts'

/** Lets a limited number of steps be under way. */
export interface Lane {
  /** Whether a step that comes now has to wait for its turn. */
  isFull(): boolean
  /**
   * Runs the step when it has a place, at once if there is one; urgent ones before the others, and of each kind the owners
   * in turns. Settles with it. @param owner @default one owner, whose steps keep their order
   */
  run(step: () => Promise<void>, isUrgent?: boolean, owner?: string): Promise<void>
}

/**
 * @param longestMs how long a step may keep its place from others: one that hangs, or never comes back (a worker's
 * request that is over), must not hold up all that come behind it
 */
export function lane(clock: Clock, count: number, longestMs: number): Lane {
  /** Until which uptime each keeps its place, in the order in which they came. */
  const inside = new Map<object, number>()
  const urgent = fairQueue<() => void>()
  const others = fairQueue<() => void>()
  const areWaiting = () => !(urgent.isEmpty() && others.isEmpty())
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    const now = clock.uptime()
    for (const [place, until] of inside) {
      if (until > now) break
      inside.delete(place)
    }
    while (inside.size < count && areWaiting()) (urgent.next() ?? others.next())?.()
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
    run(step, isUrgent = false, owner = '') {
      const queue = isUrgent ? urgent : others
      if (inside.size < count) {
        queue.passed(owner)
        return enter(step)
      }
      return new Promise((resolve) => {
        queue.add(owner, () => resolve(enter(step)))
        callNext()
      })
    },
  }
}
