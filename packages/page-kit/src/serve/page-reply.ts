import type { Page } from '../build/page-type.ts'
import { securityHeaders } from './security-headers.ts'

/** A page with what its host has set. */
export interface ServedPage {
  /** The built page. */
  readonly page: () => Page
  /** What the page reads at its start, beside the path at which it is mounted. */
  readonly settings: Readonly<Record<string, unknown>> & { readonly baseUrl: string }
  /** Other origins from which the page loads files. */
  readonly otherOrigins: readonly string[]
  /** What the page may use of the browser, as in the header `permissions-policy`, such as `camera=(self)`. */
  readonly permissions: readonly string[]
}

/** The parts of a request that the page needs. */
export interface PageRequest {
  readonly method: string
  /** The path and the query, as the client has sent them. */
  readonly target: string
  /** Where the page is mounted. */
  readonly mountPath: string
  /** The header `If-None-Match`. */
  readonly ifNoneMatch: string | undefined
}

/** The answer, for any host to send. */
export interface PageReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** Answers a request for the page. @returns `undefined` for a path that does not belong to the page */
export function pageReply(request: PageRequest, served: ServedPage): PageReply | undefined {
  const { method, target, mountPath, ifNoneMatch } = request
  const path = target.replace(/\?.*/s, '')
  if (path !== mountPath && path !== `${mountPath}/`) return undefined
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' }, body: '' }
  const built = served.page()
  const settings = JSON.stringify({ mountPath, ...served.settings })
  const headers = {
    ...securityHeaders(built, served),
    // A browser checks each time whether its copy is current, so that no visitor has an old page after a deployment.
    'cache-control': 'no-cache',
    etag: `"${built.scriptHash}${built.styleHash}${encodeURIComponent(settings)}"`,
  }
  if (isSame(ifNoneMatch, headers.etag)) return { status: 304, headers, body: '' }
  const body = built.head + escaped(settings) + built.tail
  return { status: 200, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body }
}

/** RFC 9110 section 13.1.2: tags are compared weakly, because proxies that compress make them weak. */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

/** Escapes a text for the value of an attribute. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
