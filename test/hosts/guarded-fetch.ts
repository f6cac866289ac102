import { Hono } from 'hono'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'

/** What a guard answers. Nothing else answers with this status. */
export const guardStatus = 418

/**
 * A fetch handler with a guard in front of genmount. Requests that the guard lets pass reach genmount.
 * @param guard whether the guard is a middleware of Hono or compares the path that the URL parser finds
 * @param guarded the path that the middleware of Hono guards
 */
export function guardedFetch(guard: string, guarded = '/v1/*'): (request: Request) => Promise<Response> {
  const { service, options, keys } = httpSuiteService()
  const fetch = toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
  if (guard === 'url')
    return async (request) => {
      const { pathname } = new URL(request.url)
      return pathname.startsWith('/v1') ? new Response(null, { status: guardStatus }) : fetch(request)
    }
  const app = new Hono()
  app.use(guarded, async () => new Response(null, { status: guardStatus }))
  app.all('*', (context) => fetch(context.req.raw))
  return async (request) => app.fetch(request)
}
