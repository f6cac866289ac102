import type { Job } from '../contracts/job.ts'
import type { Provider } from '../contracts/provider.ts'
import { sha256Hex } from '../text/sha256-hex.ts'

/** The secret part of a job's callback URL, which any process can work out, and nobody from any other part of the job. */
export function callbackToken({ clientToken }: Job): Promise<string> {
  return sha256Hex(new TextEncoder().encode(`callback ${clientToken}`))
}

/** The path of a job's callback below the base URL, as a pattern of the router that reads the path. */
export const callbackPath = '/v1/callbacks/:provider/:job/:token'

/** Where the vendor may send its callback for the job; `undefined` for a provider that reads none. */
export async function callbackUrlOf(
  baseUrl: string | undefined,
  { name, readCallback }: Provider,
  job: Job,
): Promise<string | undefined> {
  if (baseUrl === undefined || !readCallback) return undefined
  const parts: Readonly<Record<string, string>> = {
    provider: encodeURIComponent(name),
    job: job.id,
    token: await callbackToken(job),
  }
  return baseUrl + callbackPath.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')
}
