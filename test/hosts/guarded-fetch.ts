import { Hono } from 'hono'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { httpSuiteService } from '@genmount/testing/http'

/** What a guard answers. Nothing else answers with this status. */
export const guardStatus = 418

/**
 * A fetch handler with a guard in front of genmount. Requests that the guard lets pass reach the endpoint for agents, if the
 * URL parser finds its path, or else the service.
 * @param guard whether the guard is a middleware of Hono or compares the path that the URL parser finds
 * @param guarded the path that the middleware of Hono guards
 */
export function guardedFetch(guard: string, guarded = '/v1/*'): (request: Request) => Promise<Response> {
  const { service, options, keys } = httpSuiteService()
  const v1 = toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
  const mcp = toMcpHandler(v1)
  const refuse = async () => new Response(null, { status: guardStatus })
  const fetch = (request: Request) =>
    URL.parse(request.url)?.pathname === '/mcp' ? mcp(request) : v1(request)
  if (guard === 'url')
    return (request) => (/^\/(?:v1|mcp)/.test(new URL(request.url).pathname) ? refuse() : fetch(request))
  const app = new Hono()
  app.use(guarded, refuse).use('/mcp', refuse)
  app.all('*', (context) => fetch(context.req.raw))
  return async (request) => app.fetch(request)
}
