/** Where the service reports what its clients are not told. `console` is one. */
export interface Log {
  warn(message: string): void
  error(message: string, cause?: unknown): void
}
