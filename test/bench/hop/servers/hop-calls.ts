/** What the bench asks of each server between the rounds. */
export type HopCalls = {
  /** Where the server listens. */
  readonly url: () => string
  /** The CPU time of all threads since the start, in milliseconds. */
  readonly cpuMs: () => number
  /** Deletes what earlier requests have stored. */
  readonly clear: () => Promise<void>
}
