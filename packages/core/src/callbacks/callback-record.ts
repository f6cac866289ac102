import { lastUsed } from '../sharing/last-used.ts'

/**
 * Remembers which providers' callbacks reach this process. The jobs of a provider whose callbacks arrive are polled
 * less often.
 */
export interface CallbackRecord {
  /** Records that a callback for the job has arrived. */
  heard(provider: string, jobId: string): void
  /**
   * Whether the provider's callbacks arrive: `false` before the first one, and after a job has finished without one.
   */
  comeFrom(provider: string): boolean
  /** Records that the provider has finished the job. */
  ended(provider: string, jobId: string): void
}

const maxJobs = 100_000

/** Makes an empty record, which remembers at most 100000 jobs. */
export function callbackRecord(): CallbackRecord {
  const heardOf = lastUsed<true>(maxJobs)
  const coming = new Set<string>()
  return {
    heard(provider, jobId) {
      heardOf.set(jobId, true)
      coming.add(provider)
    },
    comeFrom: (provider) => coming.has(provider),
    ended(provider, jobId) {
      if (!heardOf.delete(jobId)) coming.delete(provider)
    },
  }
}
