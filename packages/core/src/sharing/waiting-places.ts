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
