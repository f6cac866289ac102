import autocannon from 'autocannon'
import { apiKey } from '../workload.ts'

/** The requests that are sent again and again: the paths in turn, each with the body if there is one. */
export interface Load {
  readonly url: string
  readonly paths: readonly string[]
  readonly body?: string
  /** Headers beside the key and the type of the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** How many connections the requests share. @default 32 */
  readonly connections?: number
}

/**
 * Puts load on a server, which has a core for itself, from this process.
 * @param until when it ends: after this many seconds, or this many requests
 */
export async function putLoad(
  { url, paths, body, headers, connections = 32 }: Load,
  until: number | { readonly amount: number },
) {
  const result = await autocannon({
    url,
    connections,
    ...(typeof until === 'number' ? { duration: until } : until),
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    requests: paths.map((path) => (body === undefined ? { path } : { method: 'POST', path, body })),
  })
  const requests = result['2xx'] + result.non2xx
  const failures = result.non2xx + result.errors + result.timeouts
  if (failures > 0) throw new Error(`${url} failed ${failures} of ${requests} requests.`)
  return { requests, seconds: result.duration }
}
