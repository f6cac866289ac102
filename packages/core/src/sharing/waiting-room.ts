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
  /** How many places an owner keeps once all are taken. */
  readonly maxWaitersPerOwner: number
}

/**
 * Holds at most `maxWaiters` requests, each for as long as its budget lasts. An owner may use every place that is free; once
 * none is, the request of an owner that has less than its share is given the place of one that has more.
 */
export function waitingRoom(context: WaitingRoomContext): WaitingRoom {
  const { signals, clock, read, maxWaiters, maxWaitersPerOwner } = context
  /** Whose each place is, those who have waited longest first. */
  const inside = new Map<() => void, string>()
  const placesOf = new Map<string, number>()
  /** How many places are beyond the shares of their owners. */
  let beyondShares = 0
  let isClosed = false

  function take(leave: () => void, owner: string): void {
    const places = (placesOf.get(owner) ?? 0) + 1
    inside.set(leave, owner)
    placesOf.set(owner, places)
    if (places > maxWaitersPerOwner) beyondShares++
  }

  /** @returns whether there was a place to give back */
  function giveBack(leave: () => void): boolean {
    const owner = inside.get(leave)
    if (owner === undefined) return false
    const places = placesOf.get(owner) ?? 0
    inside.delete(leave)
    if (places > maxWaitersPerOwner) beyondShares--
    if (places > 1) placesOf.set(owner, places - 1)
    else placesOf.delete(owner)
    return true
  }

  /** Whether there is a place for the owner, if need be that of the longest waiting request beyond its own owner's share. */
  function hasPlace(owner: string): boolean {
    if (inside.size < maxWaiters) return true
    if (beyondShares === 0 || (placesOf.get(owner) ?? 0) >= maxWaitersPerOwner) return false
    for (const [leave, holder] of inside) {
      if ((placesOf.get(holder) ?? 0) <= maxWaitersPerOwner) continue
      leave()
      return true
    }
    return false
  }

  return {
    wait({ known, isWanted, budgetMs, onLeave }) {
      if (isClosed || budgetMs <= 0 || !hasPlace(known.owner)) return Promise.resolve(known)
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
          if (!giveBack(leave)) return
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
        take(leave, known.owner)
        void look()
      })
    },

    close() {
      isClosed = true
      for (const leave of inside.keys()) leave()
    },
  }
}
