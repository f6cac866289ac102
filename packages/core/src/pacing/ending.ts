/** Something that ends once, and tells. */
export interface Ending {
  readonly hasEnded: boolean
  /** Calls `listener` at the end, or at once when it has come. @returns a function that takes the listener back */
  onEnd(listener: () => void): () => void
}

/** An ending in the hands of the one who brings it about. */
export interface OwnEnding extends Ending {
  /** Ends it, and calls all listeners. Once: later calls do nothing. */
  end(): void
}

/**
 * Makes an ending. Not an AbortSignal: in Cloudflare's workers that belongs to the request
 * in which it was made, and an ending may outlive many requests.
 */
export function ending(): OwnEnding {
  const listeners = new Set<() => void>()
  let hasEnded = false

  return {
    get hasEnded() {
      return hasEnded
    },
    onEnd(listener) {
      if (hasEnded) listener()
      else listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end() {
      hasEnded = true
      for (const listener of listeners) listener()
      listeners.clear()
    },
  }
}
