import { createClient, type Model } from '@genmount/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createServer } from '../server/create-server.ts'
import { checkSettings } from '../server/mcp-options.ts'
import { spendingOf } from '../server/mcp-server.ts'
import type { ToolContext } from '../tools/tool.ts'
import { hasOnePath } from './has-one-path.ts'
import { checkHandlerOptions, type McpHandlerOptions } from './mcp-handler-options.ts'
import { refusalResponse, throughOriginGate } from './origin-gate.ts'
import { type ServiceHandler, serviceFetch } from './service-fetch.ts'

/**
 * Makes an MCP endpoint (streamable HTTP) beside the `/v1` of a service: requests to `/media/mcp` use `/media/v1`. It
 * calls the service in this process with the caller's own key, so keys, limits and owners are those of `/v1`. A caller
 * that `/v1` refuses gets the response of `/v1`, such as 401 with `WWW-Authenticate`. The handler keeps no state
 * between two requests. It answers every request and never rejects.
 * @param serve the fetch handler of the service, such as `toFetchHandler` of `@genmount/fetch-handler` makes
 * @throws TypeError when an option is wrong
 * @example
 * const v1 = toFetchHandler(service, { authenticate })
 * const mcp = toMcpHandler(v1)
 * Deno.serve((request) => (new URL(request.url).pathname === '/mcp' ? mcp(request) : v1(request)))
 */
export function toMcpHandler<Handler extends ServiceHandler>(
  serve: Handler,
  options: McpHandlerOptions = {},
): (...args: Parameters<Handler>) => Promise<Response> {
  if (typeof serve !== 'function') throw new TypeError('serve must be the fetch handler of the service.')
  const settings = checkSettings(options)
  const { origins, fetch: fetchElsewhere } = checkHandlerOptions(options)
  const spending = spendingOf(settings)
  const sdk = createMcpHandler(({ authInfo }) =>
    createServer(authInfo!.extra!['context'] as ToolContext, console.error),
  )

  async function answer(request: Request, rest: readonly unknown[]): Promise<Response> {
    const baseUrl = new URL('.', request.url).href.slice(0, -1)
    const fetch = serviceFetch(serve, { baseUrl, request, rest, fetch: fetchElsewhere })
    const known = await fetch(`${baseUrl}/v1/models`)
    // The service decides who is accepted. Its refusal is returned unchanged.
    if (!known.ok) return known
    const { data } = (await known.json()) as { readonly data: readonly Model[] }
    const context: ToolContext = {
      client: createClient({ baseUrl, fetch }),
      user: userOf(request),
      settings,
      spending,
      models: () => Promise.resolve(data),
    }
    return sdk.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { context } } })
  }

  return async (...args) => {
    const [request, ...rest] = args as [Request, ...unknown[]]
    try {
      if (!hasOnePath(request.url))
        return refusalResponse(404, 'route_not_found', 'The endpoint is not at this path.')
      return await throughOriginGate(origins, request, () => answer(request, rest))
    } catch (error) {
      console.error(error)
      return refusalResponse(500, 'internal_error', 'The endpoint has failed.')
    }
  }
}

/** The headers that identify the sender: the key, or the cookies if the app authenticates by cookies. */
function userOf({ headers }: Request): string {
  return headers.get('authorization') ?? headers.get('cookie') ?? ''
}
