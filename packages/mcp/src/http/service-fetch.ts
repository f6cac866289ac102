import { elsewhereResponse } from '../results/elsewhere.ts'

/** A fetch handler of the service. What the host passes beside the request is passed on. */
export type ServiceHandler = (request: Request, ...rest: never[]) => Response | Promise<Response>

/** These belong to the request of the agent alone. */
const own =
  /^(?:accept|connection|content-.*|expect|idempotency-key|keep-alive|last-event-id|mcp-.*|origin|te|trailer|transfer-encoding|upgrade)$/

/** Where the files of the service itself are, behind `/v1`. */
const ownFile = /\/v1(\/outputs\/[^/?#]+)$/

/** What `serviceFetch` needs beside the handler. */
export interface Caller {
  /** The address in front of `/v1`. */
  readonly baseUrl: string
  /** The request of the agent. */
  readonly request: Request
  /** What the host has passed beside the request. */
  readonly rest: readonly unknown[]
  /** Fetches files that are elsewhere. `undefined` when these are not fetched. */
  readonly fetch: typeof globalThis.fetch | undefined
}

/**
 * A fetch that calls the service in this process, with what the agent's request says of its sender: the key, the host, and
 * what proxies have added. Addresses outside of the service get none of it.
 */
export function serviceFetch(serve: ServiceHandler, caller: Caller): typeof globalThis.fetch {
  const { baseUrl, rest } = caller
  const sender = [...caller.request.headers].filter(([name]) => !own.test(name))

  async function file(location: string, signal: AbortSignal | null): Promise<Response> {
    // The service may name itself by the address that its users see, which this process may be unable to reach.
    const [, path] = ownFile.exec(new URL(location).pathname) ?? []
    if (path !== undefined) {
      const response = await serve(new Request(`${baseUrl}/v1${path}`, { signal }), ...(rest as never[]))
      if (response.status !== 404) return response
      await response.body?.cancel()
    }
    return caller.fetch ? caller.fetch(location, { signal }) : elsewhereResponse()
  }

  return async (input, init = {}) => {
    const request = new Request(String(input), { ...init, redirect: 'manual' })
    for (const [name, value] of sender) if (!request.headers.has(name)) request.headers.set(name, value)
    const response = await serve(request, ...(rest as never[]))
    const location = response.headers.get('location')
    if (init.redirect !== 'follow' || response.status !== 302 || location === null) return response
    await response.body?.cancel()
    const found = await file(location, init.signal ?? null)
    // A response that was made here knows no address.
    return Object.defineProperties(found, {
      url: { value: found.url || location },
      redirected: { value: true },
    })
  }
}
