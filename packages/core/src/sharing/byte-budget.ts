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

/** Makes a budget of `maxBytes`. */
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
