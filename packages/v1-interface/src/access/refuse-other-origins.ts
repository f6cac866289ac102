import { GenerationError } from '@genmount/core'
import { baseUrlOf } from '../interface/base-url.ts'
import type { RouteOptions } from '../interface/check-v1-options.ts'
import type { V1Request } from '../interface/v1-request.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a request that changes something and that a page of another origin has sent, unless the option `cors` lists
 * this origin. A browser sends the cookies of its user with such a request, without the user's knowledge (CSRF). The
 * rule is that of Go's `http.CrossOriginProtection`: the browser's `Sec-Fetch-Site` decides. An older browser sends
 * only `Origin`, which must then name the host of this service. A request without both headers does not come from a
 * browser.
 * @throws GenerationError `origin_not_allowed`
 */
export function refuseOtherOrigins(request: V1Request, options: RouteOptions): void {
  if (safeMethods.has(request.method)) return
  const site = request.header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.header('origin')
  if (origin === undefined && site === undefined) return
  if (origin !== undefined && options.cors?.origins.includes(origin)) return
  if (origin !== undefined && site === undefined && isOwn(origin, baseUrlOf(request, options))) return
  const message = 'A page of this origin may not do that. The app can list the origin in cors.'
  throw new GenerationError('origin_not_allowed', message, { param: 'Origin' })
}

/** The scheme is not compared, because behind a proxy that ends TLS the service sees http and the page https. */
function isOwn(origin: string, baseUrl: string): boolean {
  return URL.parse(origin)?.host === URL.parse(baseUrl)?.host
}
