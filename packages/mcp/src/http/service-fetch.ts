/** A fetch handler of the service. What the host passes beside the request is passed on. */
export type ServiceHandler = (request: Request, ...rest: never[]) => Response | Promise<Response>

/** These belong to the request of the agent alone. */
const own =
  /^(?:accept|connection|content-.*|expect|idempotency-key|keep-alive|last-event-id|mcp-.*|origin|te|trailer|transfer-encoding|upgrade)$/

/**
 * A fetch that calls the service in this process, with what the agent's request says of its sender: the key, the host, and
 * what proxies have added. Addresses outside of the service are fetched without any of it.
 * @param baseUrl the address in front of `/v1`
 */
export function serviceFetch(
  serve: ServiceHandler,
  baseUrl: string,
  { headers }: Request,
  rest: readonly unknown[],
): typeof globalThis.fetch {
  const sender = [...headers].filter(([name]) => !own.test(name))

  async function call(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = String(input)
    const request = new Request(url, { ...init, redirect: 'manual' })
    for (const [name, value] of sender) if (!request.headers.has(name)) request.headers.set(name, value)
    const response = await serve(request, ...(rest as never[]))
    const location = response.headers.get('location')
    if (init.redirect !== 'follow' || response.status !== 302 || location === null) return response
    await response.body?.cancel()
    const { signal = null } = init
    const isOurs = location.startsWith(`${baseUrl}/v1/`)
    const file = isOurs
      ? await serve(new Request(location, { signal }), ...(rest as never[]))
      : await fetch(location, { signal })
    // A response that was made here knows no address.
    return Object.defineProperties(file, {
      url: { value: file.url || location },
      redirected: { value: true },
    })
  }
  return call
}
