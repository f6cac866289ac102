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
