import type { Clock } from '../contracts/clock.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { Job } from '../contracts/job.ts'

/** What one request waits for. */
export interface Wait {
  /** The id of the job. */
  readonly id: string
  /** The owner who waits. */
  readonly owner: string
  /** The job as the caller has read it. @default the room reads it */
  readonly known?: Job | undefined
  /** Whether the job is as the caller wants it, so that the wait is over. */
  readonly isWanted: (job: Job) => boolean
  /** How long to wait at the most, in milliseconds. */
  readonly budgetMs: number
  /**
   * Registers a listener that is called when the caller disconnects.
   * @returns a function that removes the listener
   */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
}

/** Holds requests open until their jobs have changed. */
export interface WaitingRoom {
  /**
   * Waits until the job is as wanted.
   * @returns the job as wanted, or as it is when the budget is used up or the room has no place. When the caller
   *   disconnects or the room closes: the job as it was last read
   * @throws when the job can't be read
   */
  wait(wait: Wait): Promise<Job>
  /** How many waits there are. */
  count(): number
  /** Ends every wait. Later calls of `wait` return at once. */
  close(): void
}

/** What a waiting room works with. */
export interface WaitingRoomContext {
  readonly signals: JobSignals
  readonly clock: Clock
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly maxWaiters: number
  /** An owner's share: how many places an owner keeps when all are taken. */
  readonly maxWaitersPerOwner: number
  /** Prevents the host process from ending by itself. Returns a function that allows it again. */
  readonly keepProcessAlive: () => () => void
}

/**
 * Holds at most `maxWaiters` requests, each for at most its budget. An owner may take every free place. When no place
 * is free, a request of an owner who has less than its share gets the place of an owner who has more than its share. The
 * host process does not end by itself while somebody waits.
 */
export function waitingRoom(context: WaitingRoomContext): WaitingRoom {
  const { signals, clock, read, maxWaiters, maxWaitersPerOwner, keepProcessAlive } = context
  /** The owner of each place, by the function that ends the wait. The longest wait comes first. */
  const inside = new Map<() => void, string>()
  const placesOf = new Map<string, number>()
  /** How many places owners have in excess of their shares, over all owners. */
  let beyondShares = 0
  let isClosed = false
  let letProcessEnd = () => {}

  function take(leave: () => void, owner: string): void {
    const places = (placesOf.get(owner) ?? 0) + 1
    if (inside.size === 0) letProcessEnd = keepProcessAlive()
    inside.set(leave, owner)
    placesOf.set(owner, places)
    if (places > maxWaitersPerOwner) beyondShares++
  }

  /** @returns `false` if the wait had no place any more */
  function giveBack(leave: () => void): boolean {
    const owner = inside.get(leave)
    if (owner === undefined) return false
    const places = placesOf.get(owner) ?? 0
    inside.delete(leave)
    if (inside.size === 0) letProcessEnd()
    if (places > maxWaitersPerOwner) beyondShares--
    if (places > 1) placesOf.set(owner, places - 1)
    else placesOf.delete(owner)
    return true
  }

  /**
   * Whether there is a place for the owner. If none is free and the owner has less than its share, ends the longest
   * wait of the owners who have more than theirs.
   */
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
    wait({ id, owner, known, isWanted, budgetMs, onLeave }) {
      if (isClosed || budgetMs <= 0 || !hasPlace(owner))
        return known ? Promise.resolve(known) : read(id, owner)
      // Callbacks instead of async functions: there may be thousands of waits, and each async function in progress
      // takes 500 bytes.
      return new Promise((resolve, reject) => {
        let latest = known
        let isLooking = false
        let mayHaveChanged = false
        let isOver = false

        // Answers without reading the store again: a store that hangs must not delay a caller who leaves, nor the
        // shutdown.
        const leave = () => {
          isOver = true
          if (!latest) return
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
              latest = await read(id, owner)
              if (isOver || isWanted(latest)) leave()
            }
          } catch (error) {
            end()
            reject(error)
          }
          isLooking = false
        }
        const wake = (told?: Job) => {
          if (!told || !latest) return void look()
          if (told.revision > latest.revision) latest = told
          if (isWanted(latest)) leave()
        }
        const finish = () => {
          isOver = true
          if (isLooking) leave()
          else void look()
        }
        // The place is taken last: if `onLeave` throws because the host can't watch its caller, no place stays taken.
        const stayed = onLeave?.(leave)
        const unsubscribe = signals.subscribe(id, wake)
        const cancelTimer = clock.after(budgetMs, finish)
        take(leave, owner)
        void look()
      })
    },

    count: () => inside.size,

    close() {
      isClosed = true
      for (const leave of inside.keys()) leave()
    },
  }
}
