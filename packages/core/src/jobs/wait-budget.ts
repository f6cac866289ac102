import type { Clock } from '../contracts/clock.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { Job } from '../contracts/job.ts'

/** What one request is held open for. */
export interface Wait {
  /** The job as it was last seen. */
  readonly known: Job
  readonly isWanted: (job: Job) => boolean
  readonly budgetMs: number
  /** Registers a listener for the caller's leaving; returns a function that takes it back. */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
}

export interface WaitingRoom {
  /**
   * The job once it is as wanted, or as it is when the budget is used up; as it was last seen when the caller leaves,
   * the room closes, or has no place. Rejects when the job can't be read.
   */
  wait(wait: Wait): Promise<Job>
  /** Ends every wait and admits nobody any more. */
  close(): void
}

export interface WaitingRoomContext {
  readonly signals: JobSignals
  readonly clock: Clock
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly maxWaiters: number
}

/** Holds at most `maxWaiters` requests, each for as long as its budget lasts. */
export function waitingRoom({ signals, clock, read, maxWaiters }: WaitingRoomContext): WaitingRoom {
  const inside = new Set<() => void>()
  let isClosed = false

  return {
    wait({ known, isWanted, budgetMs, onLeave }) {
      if (isClosed || inside.size >= maxWaiters || budgetMs <= 0) return Promise.resolve(known)
      // Callbacks around one promise: there may be thousands, and each frame of an async function takes 500 bytes.
      return new Promise((resolve, reject) => {
        let latest = known
        let isLooking = false
        let mayHaveChanged = false
        let isOver = false

        // A store that hangs must not hold up the answer of one who leaves, nor the shutdown.
        const leave = () => {
          isOver = true
          end()
          resolve(latest)
        }
        const end = () => {
          if (!inside.delete(leave)) return
          unsubscribe()
          cancelTimer()
          stayed?.()
        }
        const look = async () => {
          mayHaveChanged = true
          if (isLooking) return
          isLooking = true
          try {
            while (mayHaveChanged && inside.has(leave)) {
              mayHaveChanged = false
              latest = await read(known.id, known.owner)
              if (isOver || isWanted(latest)) leave()
            }
          } catch (error) {
            end()
            reject(error)
          }
          isLooking = false
        }
        const finish = () => {
          isOver = true
          if (isLooking) leave()
          else void look()
        }
        // The place is taken last, so that a host that can't watch its caller leaves nothing behind.
        const stayed = onLeave?.(leave)
        const unsubscribe = signals.subscribe(known.id, look)
        const cancelTimer = clock.after(budgetMs, finish)
        inside.add(leave)
        void look()
      })
    },

    close() {
      isClosed = true
      for (const leave of inside) leave()
    },
  }
}
