import type { Clock } from '../contracts/clock.ts'
import type { JobSignals } from '../contracts/storage/job-signals.ts'
import type { Job } from '../contracts/job.ts'

/** What one request waits for. */
export interface Wait {
  /** The id of the job. */
  readonly id: string
  /** The owner whose request waits. */
  readonly owner: string
  /** The job as the caller has read it. @default the room reads it */
  readonly latestKnown?: Job | undefined
  /** Whether the job has the state that the caller waits for. */
  readonly isWanted: (job: Job) => boolean
  /** The longest wait, in milliseconds. */
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
   * Waits until the job has the wanted state.
   * @returns the job in the wanted state, or in its current state when the time is up or the room has no place. When
   * the caller disconnects or the room closes: the job as it was last read
   * @throws when the job can't be read
   */
  wait(wait: Wait): Promise<Job>
  /** The places of the room, for requests that stay open in another way. They count as waits. */
  readonly places: WaitingPlaces
  /** How many waits there are. */
  count(): number
  /** Ends every wait. Later calls of `wait` return at once. */
  close(): void
}

/** What a waiting room works with. */
interface WaitingRoomContext extends WaitingPlacesContext {
  readonly signals: JobSignals
  readonly clock: Clock
  readonly read: (id: string, owner: string) => Promise<Job>
}

/**
 * Holds at most `maxWaiters` requests, each for at most its budget. An owner may take every free place. When no place
 * is free, a request of an owner who has less than its share gets the place of an owner who has more than its share.
 * The host process does not end by itself while a request waits.
 */
export function waitingRoom(context: WaitingRoomContext): WaitingRoom {
  const places = waitingPlaces(context)
  const withPlaces = { ...context, places }

  return {
    wait(wait) {
      const { id, owner, latestKnown, budgetMs } = wait
      if (budgetMs <= 0 || !places.makeRoom(owner))
        return latestKnown ? Promise.resolve(latestKnown) : context.read(id, owner)
      return new Promise((resolve, reject) => new HeldWait(withPlaces, wait, resolve, reject).begin(wait))
    },
    places,
    count: places.count,
    close: places.close,
  }
}

/**
 * One wait that has a place. A class with callbacks, because there may be thousands: closures over what a wait needs would
 * take more memory, and each async function in progress 500 bytes.
 */
class HeldWait {
  #context: WaitingRoomContext & { readonly places: WaitingPlaces }
  #id: string
  #owner: string
  #isWanted: Wait['isWanted']
  #latest: Job | undefined
  #resolve: (job: Job) => void
  #reject: (fault: unknown) => void
  #isLooking = false
  #mayHaveChanged = false
  #isOver = false
  #stayed: (() => void) | undefined
  #unsubscribe: (() => void) | undefined
  #cancelTimer: (() => void) | undefined
  /**
   * Answers without reading the store again: a store that hangs must not delay a caller who leaves, nor the shutdown.
   */
  readonly #leave = () => {
    this.#isOver = true
    if (!this.#latest) return
    this.#end()
    this.#resolve(this.#latest)
  }

  constructor(
    context: WaitingRoomContext & { readonly places: WaitingPlaces },
    { id, owner, latestKnown, isWanted }: Wait,
    resolve: (job: Job) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#context = context
    this.#id = id
    this.#owner = owner
    this.#isWanted = isWanted
    this.#latest = latestKnown
    this.#resolve = resolve
    this.#reject = reject
  }

  begin({ onLeave, budgetMs }: Wait): void {
    const { signals, clock, places } = this.#context
    // The place is taken last: if `onLeave` throws because the host can't watch its caller, no place stays taken.
    this.#stayed = onLeave?.(this.#leave)
    this.#unsubscribe = signals.subscribe(this.#id, (job) => this.#wake(job))
    this.#cancelTimer = clock.after(budgetMs, () => this.#finish())
    places.take(this.#leave, this.#owner)
    void this.#look()
  }

  #end(): void {
    if (!this.#context.places.giveBack(this.#leave)) return
    this.#unsubscribe?.()
    this.#cancelTimer?.()
    this.#stayed?.()
  }

  async #look(): Promise<void> {
    this.#mayHaveChanged = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#mayHaveChanged && this.#context.places.has(this.#leave)) {
        this.#mayHaveChanged = false
        this.#latest = await this.#context.read(this.#id, this.#owner)
        if (this.#isOver || this.#isWanted(this.#latest)) this.#leave()
      }
    } catch (fault) {
      this.#end()
      this.#reject(fault)
    }
    this.#isLooking = false
  }

  #wake(written?: Job): void {
    if (!written || !this.#latest) return void this.#look()
    if (written.revision > this.#latest.revision) this.#latest = written
    if (this.#isWanted(this.#latest)) this.#leave()
  }

  #finish(): void {
    this.#isOver = true
    if (this.#isLooking) this.#leave()
    else void this.#look()
  }
}

/** The places in which requests are held open. */
export interface WaitingPlaces {
  /**
   * Whether there is a place for the owner. If none is free and the owner has less than its share, ends the longest stay
   * of the owners who have more than theirs.
   */
  makeRoom(owner: string): boolean
  /**
   * Takes a place for the owner.
   * @param leave ends the stay, and gives the place back. Called when another owner needs the place, and by `close`
   */
  take(leave: () => void, owner: string): void
  /** Gives the place back. @returns `false` if it was given back before */
  giveBack(leave: () => void): boolean
  /** Whether this stay still has its place. */
  has(leave: () => void): boolean
  /** How many places are taken. */
  count(): number
  /** Ends every stay. From then on there are no places. */
  close(): void
}

/** The number of places, and the share of each owner. */
export interface WaitingPlacesContext {
  /** How many places there are. */
  readonly maxWaiters: number
  /** An owner's share: how many places an owner keeps when all are taken. */
  readonly maxWaitersPerOwner: number
  /** Prevents the host process from ending by itself. Returns a function that allows it again. */
  readonly keepProcessAlive: () => () => void
}

/** Makes `maxWaiters` places. The host process does not end by itself while one of them is taken. */
export function waitingPlaces({
  maxWaiters,
  maxWaitersPerOwner,
  keepProcessAlive,
}: WaitingPlacesContext): WaitingPlaces {
  /** The owner of each place, by the function that ends the stay. The longest stay comes first. */
  const inside = new Map<() => void, string>()
  const placesOf = new Map<string, number>()
  /** How many places owners have in excess of their shares, over all owners. */
  let beyondShares = 0
  let isClosed = false
  let letProcessEnd = () => {}

  return {
    makeRoom(owner) {
      if (isClosed) return false
      if (inside.size < maxWaiters) return true
      if (beyondShares === 0 || (placesOf.get(owner) ?? 0) >= maxWaitersPerOwner) return false
      for (const [leave, holder] of inside) {
        if ((placesOf.get(holder) ?? 0) <= maxWaitersPerOwner) continue
        leave()
        return true
      }
      return false
    },
    take(leave, owner) {
      const taken = (placesOf.get(owner) ?? 0) + 1
      if (inside.size === 0) letProcessEnd = keepProcessAlive()
      inside.set(leave, owner)
      placesOf.set(owner, taken)
      if (taken > maxWaitersPerOwner) beyondShares++
    },
    giveBack(leave) {
      const owner = inside.get(leave)
      if (owner === undefined) return false
      const taken = placesOf.get(owner) ?? 0
      inside.delete(leave)
      if (inside.size === 0) letProcessEnd()
      if (taken > maxWaitersPerOwner) beyondShares--
      if (taken > 1) placesOf.set(owner, taken - 1)
      else placesOf.delete(owner)
      return true
    },
    has: (leave) => inside.has(leave),
    count: () => inside.size,
    close() {
      isClosed = true
      for (const leave of inside.keys()) leave()
    },
  }
}
