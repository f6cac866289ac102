/** Every instant and every delay of the service comes from a clock, so that a test can control the time. */
export interface Clock {
  /** The current instant in milliseconds since the Unix epoch. The service rounds it. */
  now(): number
  /**
   * Milliseconds since an instant that the clock chooses. It advances evenly for as long as this process lives, also
   * while the process is frozen, and does not jump when the time of the machine is set. `performance.now()` is such a
   * clock.
   */
  uptime(): number

  /**
   * Calls `run` once, `delayMs` milliseconds from now, however long that is. Must not keep the host process alive.
   * @returns a function that cancels the call; a call of that function after `run`, or a second one, does nothing
   */
  after(delayMs: number, run: () => void): () => void
}
