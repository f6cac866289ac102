/**
 * Counts how much each owner holds of something that they share, such as bytes of memory, so that no owner takes all.
 */
export interface SharedRoom {
  /** How much all owners hold together. */
  readonly held: number
  /** Whether `amount` more fits into the room. */
  fits(amount: number): boolean
  /**
   * Whether the owner may hold `amount` more. An owner that holds nothing always may. Any other owner may, as long as
   * it then holds at most as much as is left free, or at most `always`.
   */
  mayHave(owner: string, amount: number): boolean
  /** Counts `amount` more for the owner, or less if `amount` is negative. Checks nothing: see `fits` and `mayHave`. */
  add(owner: string, amount: number): void
}

/**
 * Makes a room that owners share fairly.
 * @param max how much all owners may hold together, in any unit
 * @param always how much an owner may hold in any case if it fits, however little is left free; 0 when left out
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

/** Counts the bytes of outputs that are held in memory, so that they do not exceed a maximum. */
export interface ByteBudget {
  /**
   * Whether no new jobs should be submitted: more than half of the budget is used, so the outputs of new jobs might not
   * fit.
   */
  isFull(): boolean
  /**
   * Counts the bytes if they fit.
   * @returns a function that ends the counting; `undefined` when the bytes do not fit
   */
  hold(bytes: number): (() => void) | undefined
}

export function byteBudget(maxBytes: number): ByteBudget {
  let held = 0
  return {
    isFull: () => held > maxBytes / 2,
    hold(bytes) {
      if (held + bytes > maxBytes) return undefined
      held += bytes
      return () => void (held -= bytes)
    },
  }
}
