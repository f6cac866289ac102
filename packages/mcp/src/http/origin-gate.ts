import { rpcRefusal } from './rpc-refusal.ts'

/** The CORS headers: which methods and headers a page of another origin may send, and which headers it may read. */
const allowed = {
  'access-control-allow-methods': 'POST, GET, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
  'access-control-expose-headers': 'www-authenticate, retry-after, mcp-session-id',
  'access-control-max-age': '600',
}

/**
 * Accepts requests of web pages only from these origins, so that a foreign page cannot use the endpoint through its
 * visitor's browser. A request without an `Origin` does not come from a page and is accepted.
 */
export async function throughOriginGate(
  origins: ReadonlySet<string>,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  const origin = request.headers.get('origin')
  if (origin === null) return answer()
  if (!origins.has(origin))
    return rpcRefusal(403, 'origin_not_allowed', 'This origin may not use the endpoint.')
  const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await answer()
  const headers = new Headers(response.headers)
  headers.append('vary', 'origin')
  headers.set('access-control-allow-origin', origin)
  for (const [name, value] of Object.entries(allowed)) headers.set(name, value)
  const { status, body } = response
  return new Response(body, { status, headers })
}
