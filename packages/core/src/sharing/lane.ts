import type { Clock } from '../contracts/clock.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'
import { fairQueue } from './fair-queue.ts'

/** Runs at most a certain number of steps at the same time. The others wait. */
export interface Lane {
  /** Whether a step that comes now has to wait. */
  isFull(): boolean
  /**
   * Runs the step as soon as there is a place. Urgent steps come before the others; among each of the two kinds, owners
   * take turns. The promise settles as the step does.
   * @param owner the owner of the step. Steps without an owner count as those of one owner, and keep their order
   */
  run(step: () => Promise<void>, isUrgent?: boolean, owner?: string): Promise<void>
  /**
   * Takes a place for a step that is not urgent. Call it only if the lane is not full.
   * @returns a function that gives the place back
   */
  take(owner: string): () => void
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
  /** The places of the steps, in the order in which the steps began. */
  const inside: LinkedList<Place> = {}
  let taken = 0
  const isFree = () => taken < count
  const urgent = fairQueue<() => void>()
  const others = fairQueue<() => void>()
  const areWaiting = () => !(urgent.isEmpty() && others.isEmpty())
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    const now = clock.uptime()
    while (inside.first && inside.first.until <= now) leave(inside.first)
    while (isFree() && areWaiting()) (urgent.next() ?? others.next())?.()
    cancelTimer?.()
    // When this timer fires, every step that has a place now has ended or has lost its place.
    cancelTimer = areWaiting() ? clock.after(longestMs, callNext) : undefined
  }

  function takePlace(): () => void {
    const place: Place = { until: clock.uptime() + longestMs, isTaken: true }
    append(inside, place)
    taken++
    return () => {
      if (!place.isTaken) return
      leave(place)
      if (areWaiting()) callNext()
    }
  }

  async function enter(step: () => Promise<void>): Promise<void> {
    const giveBack = takePlace()
    try {
      await step()
    } finally {
      giveBack()
    }
  }

  function leave(place: Place): void {
    takeOut(inside, place)
    place.isTaken = false
    taken--
  }

  return {
    isFull: () => !isFree(),
    counts: () => ({ running: taken, waiting: urgent.count() + others.count() }),
    take(owner) {
      others.passed(owner)
      return takePlace()
    },
    run(step, isUrgent = false, owner = '') {
      const queue = isUrgent ? urgent : others
      if (isFree()) {
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

/** The place of one step. */
interface Place extends Linked<Place> {
  /** Until which uptime the step keeps the place if others wait. */
  readonly until: number
  isTaken: boolean
}
