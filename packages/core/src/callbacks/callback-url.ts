import { callbackPath } from '../contracts/callbacks.ts'
import type { Job } from '../contracts/job.ts'
import type { Provider } from '../contracts/provider.ts'
import { sha256Hex } from '../text/sha256-hex.ts'

/**
 * The secret part of a job's callback URL. Any process of the service can calculate it from the job's `clientToken`. It
 * can't be calculated from anything else in the job.
 */
export function callbackToken({ clientToken }: Job): Promise<string> {
  return sha256Hex(new TextEncoder().encode(`callback ${clientToken}`))
}

/** Whether the vendor may call back. */
export function takesCallbacks({ readCallback, callbacksAreHints }: Provider): boolean {
  return readCallback !== undefined || callbacksAreHints === true
}

/** The URL to which the vendor may send its callback for the job; `undefined` if the provider takes none. */
export function callbackUrlOf(baseUrl: string, provider: Provider, job: Job): Promise<string> | undefined {
  return takesCallbacks(provider) ? urlWith(baseUrl, provider, job) : undefined
}

async function urlWith(baseUrl: string, provider: Provider, job: Job): Promise<string> {
  const parts: Readonly<Record<string, string>> = {
    provider: encodeURIComponent(provider.name),
    job: job.id,
    token: await callbackToken(job),
  }
  return baseUrl + callbackPath.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')
}
