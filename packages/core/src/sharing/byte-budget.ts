/** Counts the bytes that are held in memory, so that somebody can stop taking more. */
export interface ByteBudget {
  /** Whether nothing more should be taken on, because what comes of it may no longer fit: from half of the budget on. */
  isFull(): boolean
  /** Holds the bytes if they fit. @returns what lets them go again, or `undefined` when they do not fit */
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
