import { LRUCache } from 'lru-cache'
import type { Job } from '../contracts/job.ts'
import type { Provider } from '../contracts/provider.ts'
import { sha256Hex } from '../text/sha256-hex.ts'

/** The secret part of a job's callback URL, which any process can work out, and nobody from any other part of the job. */
export function callbackToken({ clientToken }: Job): Promise<string> {
  return sha256Hex(new TextEncoder().encode(`callback ${clientToken}`))
}

/**
 * The base URL without a slash at its end.
 * @throws TypeError when it is no http or https URL, or has more than a path
 */
export function checkCallbackBaseUrl(baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined
  const url = URL.parse(baseUrl)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return url.href.replace(/\/+$/, '')
  throw new TypeError(
    `callbackBaseUrl must be an http or https URL such as https://app.example/media, not ${JSON.stringify(baseUrl)}.`,
  )
}

/** Where the vendor may send its callback for the job; `undefined` for a provider that reads none. */
export async function callbackUrlOf(
  baseUrl: string | undefined,
  { name, readCallback }: Provider,
  job: Job,
): Promise<string | undefined> {
  if (baseUrl === undefined || !readCallback) return undefined
  return `${baseUrl}/v1/callbacks/${encodeURIComponent(name)}/${job.id}/${await callbackToken(job)}`
}

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
