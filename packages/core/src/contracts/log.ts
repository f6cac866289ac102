/** Receives what the service reports to its operator and not to its clients. `console` is one. */
export interface Log {
  /** Something went wrong, and the service deals with it. */
  warn(message: string): void
  /**
   * Something went wrong, and somebody should look at it.
   * @param cause the error that led to it; absent when there is none
   */
  error(message: string, cause?: unknown): void
}
