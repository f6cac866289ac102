import type { V1Reply, V1Request } from '../interface/v1-request.ts'
import type { CorsOptions } from './cors-options.ts'

/** Tells browsers which pages of other origins may use the interface. */
export interface CorsPolicy {
  /**
   * Answers the preflight that a browser sends before a request of such a page. The preflight has no key.
   * @returns `undefined` for a request that is no preflight
   */
  preflight(request: V1Request): V1Reply | undefined
  /** Adds the headers to a reply that tell the browser whether the page may read it. */
  mark(request: V1Request, reply: V1Reply): V1Reply
}

/** How long a browser may remember the answer to a preflight, in seconds. Chromium takes no more than this. */
const maxAgeSeconds = '7200'

/** The reply headers that a page can read only if they are listed. */
const ownHeaders = [
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-range',
  'etag',
  'idempotency-replayed',
  'location',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-budget-remaining-usd',
  'x-request-id',
  'x-should-retry',
]

/**
 * The CORS protocol of the Fetch standard (https://fetch.spec.whatwg.org/#http-cors-protocol). Refusals get the CORS
 * headers too, because without them a page can't even see the status of a reply.
 * @param withCookies whether the pages may send cookies and other credentials that browsers keep
 */
export function corsPolicy({ origins, exposedHeaders = [] }: CorsOptions, withCookies: boolean): CorsPolicy {
  const exposed = [...ownHeaders, ...exposedHeaders].join(', ')

  return {
    preflight(request) {
      const isPreflight =
        request.method === 'OPTIONS' &&
        request.path !== undefined &&
        request.header('origin') !== undefined &&
        request.header('access-control-request-method') !== undefined
      if (!isPreflight) return undefined
      const reply = { status: 204, headers: {} as Record<string, string> }
      if (!isAllowed(origins, request.header('origin'))) return reply
      reply.headers['access-control-allow-methods'] = 'GET, HEAD, POST, DELETE'
      reply.headers['access-control-max-age'] = maxAgeSeconds
      // All headers that the page wants to send are allowed, because the app may read headers that are not known here.
      const wanted = request.header('access-control-request-headers') ?? ''
      if (/^[\w!#$%&'*+.^`|~, -]+$/.test(wanted)) reply.headers['access-control-allow-headers'] = wanted
      return reply
    },

    mark(request, reply) {
      const { headers } = reply
      const origin = request.header('origin')
      // Without this header a cache could give a page the reply to a request of another page, or of an element such as
      // <img>, which has no `Origin` header.
      if (origins !== '*') headers['vary'] = 'Origin'
      if (!isAllowed(origins, origin)) return reply
      headers['access-control-allow-origin'] = origins === '*' ? origins : origin!
      if (withCookies) headers['access-control-allow-credentials'] = 'true'
      headers['access-control-expose-headers'] = exposed
      return reply
    },
  }
}

/** Whether pages of the origin are allowed. A request without an origin does not come from a page. */
function isAllowed(origins: CorsOptions['origins'], origin: string | undefined): boolean {
  return origins === '*' || (origin !== undefined && origins.includes(origin))
}
