/** Where every instant and every delay of the service comes from, so that a test can own time. */
export interface Clock {
  /** The current instant in milliseconds since the Unix epoch. */
  now(): number
  /**
   * Milliseconds since an instant of the clock's own choice. Goes on at an even pace while this process lives, frozen or
   * not, and does not jump when somebody sets the time: `performance.now()`.
   */
  uptime(): number

  /**
   * Runs `run` once, `delayMs` from now, however far away that is. Must not keep the host process alive.
   * @returns a function that calls it off; calling it late or twice does nothing
   */
  after(delayMs: number, run: () => void): () => void
}
