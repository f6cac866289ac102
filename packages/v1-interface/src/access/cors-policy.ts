import { checkObject, checkOptions, listOf, optional, type OptionTable, text } from '@genmount/core'
import type { V1Reply, V1Request } from '../interface/v1-request.ts'

/** Which pages of other origins may use the interface in a browser. */
export interface CorsOptions {
  /**
   * The origins of these pages as a browser writes them in the `Origin` header, such as `https://app.example` or
   * `http://localhost:5173`: no slash at the end, no path, no wildcard. `'*'` allows the pages of every origin, and is
   * refused together with `credentials: 'any'`.
   */
  readonly origins: readonly string[] | '*'
  /**
   * The names of headers that your app or proxy adds to the replies and that the pages may read. They may
   * always read the headers that the interface itself sends. @default none
   */
  readonly exposedHeaders?: readonly string[] | undefined
}

const table = {
  origins: checkOrigins,
  exposedHeaders: optional(
    listOf(
      "a list of header names such as ['x-ratelimit-remaining']",
      text('a header name', /^[\w!#$%&'*+.^`|~-]+$/),
    ),
  ),
} satisfies OptionTable<CorsOptions>

/** Tells browsers which pages of other origins may use the interface. `corsPolicy` makes it. */
export interface CorsPolicy {
  /** The origins of these pages, or `'*'` for all. */
  readonly origins: readonly string[] | '*'
  /**
   * Answers the preflight that a browser sends before a request of such a page. The preflight has no key.
   * @returns `undefined` for a request that is no preflight
   */
  preflight(request: V1Request): V1Reply | undefined
  /**
   * Adds the headers to a reply that tell the browser whether the page may read it.
   * @param withCookies whether the pages may send cookies and other credentials that browsers keep
   */
  mark(request: V1Request, reply: V1Reply, withCookies: boolean): V1Reply
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
 * Lets pages of other origins use the interface in a browser, as the option `cors` of a handler: the CORS protocol of the
 * Fetch standard (https://fetch.spec.whatwg.org/#http-cors-protocol). Refusals get the CORS headers too, because without
 * them a page can't even see the status of a reply.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example toNodeHandler(service, { authenticate, cors: corsPolicy({ origins: ['https://app.example'] }) })
 */
export function corsPolicy(options: CorsOptions): CorsPolicy {
  checkObject('corsPolicy: the options', options, " such as { origins: ['https://app.example'] }")
  const { origins, exposedHeaders = [] } = checkOptions('corsPolicy', options, table)
  const exposed = [...ownHeaders, ...exposedHeaders].join(', ')

  return {
    origins,
    preflight(request) {
      const isPreflight =
        request.method === 'OPTIONS' &&
        request.path !== undefined &&
        request.header('origin') !== undefined &&
        request.header('access-control-request-method') !== undefined
      if (!isPreflight) return undefined
      const reply = { status: 204, headers: {} as Record<string, string> }
      if (!isAllowed(origins, request.header('origin'))) return reply
      reply.headers['access-control-allow-methods'] = 'GET, HEAD, POST, DELETE, OPTIONS'
      reply.headers['access-control-max-age'] = maxAgeSeconds
      // All headers that the page wants to send are allowed, because the app may read headers that are not known here.
      const wanted = request.header('access-control-request-headers') ?? ''
      if (/^[\w!#$%&'*+.^`|~, -]+$/.test(wanted)) reply.headers['access-control-allow-headers'] = wanted
      return reply
    },

    mark(request, reply, withCookies) {
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

function checkOrigins(name: string, origins: unknown): CorsOptions['origins'] {
  if (origins === '*') return origins
  if (!Array.isArray(origins) || origins.length === 0) {
    throw new TypeError(`${name} must be a list of origins such as ['https://app.example'], or '*' alone.`)
  }
  const wrong = origins.find((origin: unknown) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new TypeError(
    `${name} must list origins as browsers write them, such as https://app.example, not ${String(wrong)}.`,
  )
}

function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || origin.includes('*')) return false
  if (/^https?:/.test(origin)) return URL.parse(origin)?.origin === origin
  // Pages of browser extensions and of apps with a web view have schemes for which URL knows no origin.
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d+)?$/.test(origin)
}
