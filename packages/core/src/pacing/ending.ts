/** An event that happens at most once, such as the closing of the service. */
export interface Ending {
  /** Whether the event has happened. */
  readonly hasEnded: boolean
  /**
   * Calls `listener` when the event happens, or at once if it has happened already.
   * @returns a function that removes the listener
   */
  onEnd(listener: () => void): () => void
}

/** An ending together with the function that makes it happen. */
export interface OwnEnding extends Ending {
  /** Makes the event happen and calls all listeners. Later calls do nothing. */
  end(): void
}

/**
 * Creates an ending. An AbortSignal can't be used here: in Cloudflare's workers it belongs to the request in which it
 * was created, and an ending may last for many requests.
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
