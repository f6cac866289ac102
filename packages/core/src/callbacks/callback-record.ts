import { LRUCache } from 'lru-cache'

/** The callbacks that have come to this process. While a provider's callbacks come, its jobs are polled rarely. */
export interface CallbackRecord {
  heard(provider: string, jobId: string): void
  /** Whether the provider's callbacks come, as far as its last finished job shows. */
  comeFrom(provider: string): boolean
  /** The job has ended at the provider. */
  ended(provider: string, jobId: string): void
}

const maxJobs = 100_000

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
