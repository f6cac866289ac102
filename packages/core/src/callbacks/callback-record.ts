import { LRUCache } from 'lru-cache'

/**
 * Remembers which providers' callbacks reach this process. The jobs of a provider whose callbacks arrive are polled
 * less often.
 */
export interface CallbackRecord {
  /** A callback for the job has arrived. */
  heard(provider: string, jobId: string): void
  /**
   * Whether the provider's callbacks arrive: `false` before the first one, and after a job has finished without one.
   */
  comeFrom(provider: string): boolean
  /** The job has finished at the provider. */
  ended(provider: string, jobId: string): void
}

const maxJobs = 100_000

/** Makes an empty record, which remembers at most 100000 jobs. */
export function callbackRecord(): CallbackRecord {
  const heardOf = new LRUCache<string, true>({ max: maxJobs })
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
