import type { Clock } from '../contracts/clock.ts'
import type { JobSignals } from '../contracts/job-signals.ts'

/** One request held open for one job. */
export interface Wait {
  /** The budget is used up, the caller has left, or the service closes. */
  readonly isOver: boolean
  /** Resolves when the job may have changed since the last call, or the wait is over. */
  next(): Promise<void>
  /** Must be called once; frees the waiter's place. */
  end(): void
}

export interface WaitingRoom {
  /** How many wait now. */
  readonly size: number
  /** A place for one more waiter, or `undefined` when there is none. */
  enter(jobId: string, budgetMs: number, onLeave?: (leave: () => void) => () => void): Wait | undefined
  /** Ends every wait and admits nobody any more. Resolves when the last waiter has left. */
  close(): Promise<void>
}

/** Holds at most `maxWaiters` requests, each for as long as its budget lasts. */
export function waitingRoom(signals: JobSignals, clock: Clock, maxWaiters: number): WaitingRoom {
  const inside = new Set<() => void>()
  const emptied = Promise.withResolvers<void>()
  let isClosed = false

  return {
    get size() {
      return inside.size
    },

    enter(jobId, budgetMs, onLeave) {
      if (isClosed || inside.size >= maxWaiters || budgetMs <= 0) return undefined
      let isOver = false
      let mayHaveChanged = true
      let resume: (() => void) | undefined

      const wake = () => {
        mayHaveChanged = true
        resume?.()
      }
      const finish = () => {
        isOver = true
        wake()
      }
      // The place is taken last, so that a host that can't watch its caller leaves nothing behind.
      const stayed = onLeave?.(finish)
      const unsubscribe = signals.subscribe(jobId, wake)
      const cancelTimer = clock.after(budgetMs, finish)
      inside.add(finish)

      return {
        get isOver() {
          return isOver
        },
        async next() {
          if (!mayHaveChanged && !isOver) await new Promise<void>((resolve) => (resume = resolve))
          mayHaveChanged = false
        },
        end() {
          inside.delete(finish)
          unsubscribe()
          cancelTimer()
          stayed?.()
          if (isClosed && inside.size === 0) emptied.resolve()
        },
      }
    },

    close() {
      isClosed = true
      for (const finish of inside) finish()
      if (inside.size === 0) emptied.resolve()
      return emptied.promise
    },
  }
}
