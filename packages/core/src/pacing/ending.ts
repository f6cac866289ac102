/** Something that ends once, and tells. */
export interface Ending {
  readonly hasEnded: boolean
  /** Calls `listener` at the end, or at once when it has come. @returns a function that takes the listener back */
  onEnd(listener: () => void): () => void
}

/**
 * An ending and the one who brings it about. Not an AbortSignal: in Cloudflare's workers that belongs to the request
 * in which it was made, and an ending may outlive many requests.
 */
export function ending(): Ending & { end(): void } {
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
