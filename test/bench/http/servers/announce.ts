import { answerParent, cpuMs } from '../../answer-parent.ts'

/** What a server prints about itself when it listens. */
export interface ServerGreeting {
  readonly port: number
  /** The ids of the jobs that clients may read. */
  readonly ids: readonly string[]
}

/** What a server answers each time it is asked. */
export interface ServerState {
  /** The CPU time of all threads of the process since its start. */
  readonly cpuMs: number
  /** How many jobs the provider has accepted and not finished. */
  readonly openJobs: number
}

/** How many jobs the clients read in turn. */
export const jobCount = 1000

/**
 * When the provider asks to be polled, in milliseconds. Longer than a round of creates, so that all polls come after the
 * round and are measured separately.
 */
export const pollAfterMs = 3_000

/** Tells the bench that the server listens. */
export function announce(port: number, ids: readonly string[], openJobs = () => 0): void {
  const greeting: ServerGreeting = { port, ids }
  answerParent(greeting, (): ServerState => ({ cpuMs: cpuMs(), openJobs: openJobs() }))
}
