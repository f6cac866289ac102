/** Counts what owners hold of a room that they share, such as bytes of memory, so that none of them fills it. */
export interface SharedRoom {
  /** What all owners hold together. */
  readonly held: number
  /** Whether there is room for so much more. */
  fits(amount: number): boolean
  /**
   * Whether the owner's share allows so much more. An owner that holds something already may hold no more than is left for
   * all others, or what is always allowed.
   */
  mayHave(owner: string, amount: number): boolean
  /** Counts so much more for the owner, or less when `amount` is negative. */
  add(owner: string, amount: number): void
}

/**
 * @param max how much there is for all owners together, in any unit
 * @param always how much an owner may hold whatever is left for others. @default 0
 * @example
 * const bytes = sharedRoom(256 * 1024 * 1024)
 * if (bytes.fits(size) && bytes.mayHave('alice', size)) bytes.add('alice', size)
 */
export function sharedRoom(max: number, always = 0): SharedRoom {
  const heldBy = new Map<string, number>()
  let held = 0
  return {
    get held() {
      return held
    },
    fits: (amount) => held + amount <= max,
    mayHave(owner, amount) {
      const mine = heldBy.get(owner) ?? 0
      return mine === 0 || mine + amount <= Math.max(always, max - held - amount)
    },
    add(owner, amount) {
      held += amount
      const mine = (heldBy.get(owner) ?? 0) + amount
      if (mine === 0) heldBy.delete(owner)
      else heldBy.set(owner, mine)
    },
  }
}
