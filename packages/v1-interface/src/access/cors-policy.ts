import type { V1Reply, V1Request } from '../interface/v1-request.ts'
import type { CorsOptions } from './cors-options.ts'

/** Tells browsers which pages of other origins may use the interface. */
export interface CorsPolicy {
  /**
   * Answers the preflight that a browser sends before a request of such a page. The preflight has no key.
   * @returns `undefined` for a request that is no preflight
   */
  preflight(request: V1Request): V1Reply | undefined
  /** Adds to a reply whether the page that has sent the request may read it. */
  mark(request: V1Request, reply: V1Reply): V1Reply
}

/** How long a browser may remember the answer to a preflight, in seconds. Chromium takes no more than this. */
const maxAgeSeconds = '7200'

/** The headers of all replies that a page can't read unless they are named. */
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
  'x-request-id',
]

/**
 * The CORS protocol of the Fetch standard (https://fetch.spec.whatwg.org/#http-cors-protocol). Refusals are
 * marked like all other replies, because a page can't even see the status of a reply without the mark.
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
      // Each header that the page wants to send, because the app may read headers that are not known here.
      const wanted = request.header('access-control-request-headers') ?? ''
      if (/^[\w!#$%&'*+.^`|~, -]+$/.test(wanted)) reply.headers['access-control-allow-headers'] = wanted
      return reply
    },

    mark(request, reply) {
      const { headers } = reply
      const origin = request.header('origin')
      // Without this header a cache could give a page the reply to a request of another page, or of an element
      // such as <img>, which names no origin.
      if (origins !== '*') headers['vary'] = 'Origin'
      if (!isAllowed(origins, origin)) return reply
      headers['access-control-allow-origin'] = origins === '*' ? origins : origin!
      if (withCookies) headers['access-control-allow-credentials'] = 'true'
      headers['access-control-expose-headers'] = exposed
      return reply
    },
  }
}

/** Whether pages of the origin are let in. A request that names no origin comes from no page. */
function isAllowed(origins: CorsOptions['origins'], origin: string | undefined): boolean {
  return origins === '*' || (origin !== undefined && origins.includes(origin))
}
