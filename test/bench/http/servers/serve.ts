import { answerParent, cpuMs } from '../../answer-parent.ts'

/** How many jobs the clients read in turn. */
export const jobCount = 1000

/**
 * When the provider asks to be polled, in milliseconds. Longer than a round of creates, so that all polls come after the
 * round and are measured separately.
 */
export const pollAfterMs = 3_000

function callsOf(origin: string, ids: readonly string[], openJobs: () => number) {
  return {
    /** Where the server listens, and the ids of the jobs that clients may read. */
    load: () => ({ url: origin, ids }),
    /** The CPU time of all threads since the start, and how many jobs the provider has accepted and not finished. */
    state: () => ({ cpuMs: cpuMs(), openJobs: openJobs() }),
  }
}
export type ServerCalls = ReturnType<typeof callsOf>

/** Has a server, which listens, answer the bench. */
export function announce(...server: Parameters<typeof callsOf>): void {
  answerParent(callsOf(...server))
}
