import { elsewhereResponse } from '../results/elsewhere.ts'

/** A fetch handler of the service. It also gets the further arguments that the host passes, such as `env`. */
export type ServiceHandler = (request: Request, ...rest: never[]) => Response | Promise<Response>

/** Headers that belong to the agent's request alone and are not passed on. */
const own =
  /^(?:accept|connection|content-.*|expect|idempotency-key|keep-alive|last-event-id|mcp-.*|origin|te|trailer|transfer-encoding|upgrade)$/

/** The path of the service's own files, below `/v1`. */
const ownFile = /\/v1(\/outputs\/[^/?#]+)$/

/** What `serviceFetch` needs beside the handler. */
export interface Caller {
  /** The address of the service, up to but without `/v1`. */
  readonly baseUrl: string
  /** The headers by which the agent's request identifies its sender, as {@link senderHeaders} returns them. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The further arguments that the host has passed with the request. */
  readonly rest: readonly unknown[]
  /** Fetches files outside the service. `undefined` when they are not fetched. */
  readonly fetch: typeof globalThis.fetch | undefined
}

/**
 * Makes a fetch that calls the service in this process. It passes on the headers by which the agent's request
 * identifies its sender: the key, the host, and the headers of proxies. Requests to addresses outside the service get
 * none of these headers.
 */
export function serviceFetch(serve: ServiceHandler, caller: Caller): typeof globalThis.fetch {
  const { baseUrl, rest } = caller

  async function file(location: string, signal: AbortSignal | null): Promise<Response> {
    // The service names itself by its public address, which this process may be unable to reach.
    const [, path] = ownFile.exec(new URL(location).pathname) ?? []
    if (path !== undefined) {
      const response = await serve(new Request(`${baseUrl}/v1${path}`, { signal }), ...(rest as never[]))
      if (response.status !== 404) return response
      await response.body?.cancel()
    }
    return caller.fetch ? caller.fetch(location, { signal }) : elsewhereResponse()
  }

  return async (input, init = {}) => {
    const request = serviceRequest(String(input), init, caller.headers)
    const response = await serve(request, ...(rest as never[]))
    const location = response.headers.get('location')
    if (init.redirect !== 'follow' || response.status !== 302 || location === null) return response
    await response.body?.cancel()
    const reply = await file(location, init.signal ?? null)
    // A response that this process has made has no URL.
    return Object.defineProperties(reply, {
      url: { value: reply.url || location },
      redirected: { value: true },
    })
  }
}

/** The headers by which a request identifies its sender. Calls that wait keep them, and not the request. */
export function senderHeaders({ headers }: Request): Caller['headers'] {
  return [...headers].filter(([name]) => !own.test(name))
}

/** Makes a request to the service that has these headers of the agent's request. */
export function serviceRequest(url: string, init: RequestInit, headers: Caller['headers']): Request {
  const request = new Request(url, { ...init, redirect: 'manual' })
  for (const [name, value] of headers) if (!request.headers.has(name)) request.headers.set(name, value)
  return request
}
