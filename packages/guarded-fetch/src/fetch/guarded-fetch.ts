import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { createLookUp } from '../lookup/look-up.ts'
import { checkUrl } from '../rules/url-rules.ts'
import { readFetchOptions, type FetchRules, type GuardedFetchOptions } from './fetch-options.ts'
import { FetchRefusedError, sizeRefusal } from './fetch-refused-error.ts'
import { gatherBytes } from './gather-bytes.ts'
import { inflated, limitedBody } from './limited-body.ts'
import { openResponse, type Network } from './open-response.ts'
import { beginTransfer } from './transfer.ts'

/**
 * An answer with status 200. Read `body`, call `bytes`, or cancel `body`. Otherwise it is closed when `timeoutMs` is
 * over.
 */
export interface GuardedResponse {
  /** The URL of the answer, after all redirects. Its query may contain secrets. */
  readonly url: string
  /** The media type that the server claims, in lower case and without parameters; `undefined` when it claims none. */
  readonly contentType: string | undefined
  /** The size in bytes that the server claims; `undefined` when it claims none, and for gzip. A shorter body fails with `network`. */
  readonly contentLength: number | undefined
  /**
   * The bytes as they arrive. It fails with a `FetchRefusedError` (`too_large`, `timeout` or `network`) if the transfer
   * fails.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Reads the whole body into memory. @throws FetchRefusedError as `body` does */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Fetches (GET) a URL from an untrusted source. It refuses:
 *
 * - schemes other than http and https, and URLs with a user name or password
 * - ports other than 80, 443 and those from 1024 on that browsers allow
 * - hosts without a public address
 * - more than 3 redirects, or a redirect from https to http
 * - any status other than 200, and compressed bodies other than gzip
 * - answers that break a limit of the options
 *
 * It asks for uncompressed bodies. Some object stores send a file that was stored as gzip all the same, so gzip is inflated,
 * and `maxBytes` counts the inflated bytes. Each redirect is checked like the first URL. Addresses are checked at the moment of connecting, and nothing is sent
 * to a refused address. Proxy settings of the environment are ignored.
 * @throws FetchRefusedError that says why, and whether the same URL may succeed later
 * @throws TypeError when an option is wrong
 * @throws the reason of `signal`, when `signal` aborts
 * @example
 * const response = await guardedFetch(url, { accept: ['image/*'], maxBytes: 5_000_000 })
 * const image = await response.bytes()
 */
export const guardedFetch: GuardedFetch = createGuardedFetch({ lookUp: createLookUp() })

/** The type of `guardedFetch`, for packages that accept it as an option. */
export type GuardedFetch = (url: string | URL, options?: GuardedFetchOptions) => Promise<GuardedResponse>

/** `guardedFetch` with another network, for tests. */
export function createGuardedFetch(network: Network): GuardedFetch {
  return async (address, options = {}) => {
    const rules = readFetchOptions(options)
    const transfer = beginTransfer(rules.timeoutMs, rules.signal)
    try {
      const { url, response } = await followRedirects(
        network,
        checkUrl(address, rules.allowAddress),
        rules,
        transfer.signal,
      )
      const { isGzip, ...head } = checkHead(response, url, rules)
      const body = limitedBody(isGzip ? inflated(response) : response, url, rules.maxBytes, transfer)
      return { url: url.href, ...head, body, bytes: () => gatherBytes(body) }
    } catch (error) {
      throw transfer.fail(error)
    }
  }
}

const maxRedirects = 3
const redirectStatuses = [301, 302, 303, 307, 308]

async function followRedirects(network: Network, first: URL, rules: FetchRules, stop: AbortSignal) {
  const { allowAddress, owner } = rules
  let { headers } = rules
  for (let url = first, redirects = 0; ; redirects++) {
    stop.throwIfAborted()
    const response = await openResponse(network, { url, headers, allowAddress, stop, owner })
    const { location } = response.headers
    const isRedirect = location !== undefined && redirectStatuses.includes(response.statusCode ?? 0)
    if (!isRedirect) return { url, response }
    response.destroy()
    if (redirects === maxRedirects) {
      throw new FetchRefusedError(
        'too_many_redirects',
        `${first.origin} redirects more than ${maxRedirects} times.`,
      )
    }
    // Only ASCII is allowed here, but some servers send UTF-8, which node:http decodes as Latin-1.
    const next = checkUrl(Buffer.from(location, 'latin1').toString(), rules.allowAddress, url)
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new FetchRefusedError('scheme', `${url.origin} redirects to http: a redirect must stay on https.`)
    }
    // Drops all of the caller's headers and not just authorization, because vendors name their key headers differently.
    if (next.origin !== url.origin) headers = rules.commonHeaders
    url = next
  }
}

function checkHead(response: IncomingMessage, url: URL, { accepts, acceptedTypes, maxBytes }: FetchRules) {
  const { headers, statusCode: status = 0 } = response
  if (status !== 200) {
    throw new FetchRefusedError('status', `${url.origin} answered with status ${status}, not 200.`, {
      status,
    })
  }
  const encoding = headers['content-encoding']?.toLowerCase() ?? ''
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip'
  if (!isGzip && !['', 'identity'].includes(encoding)) {
    throw new FetchRefusedError(
      'content_encoding',
      `${url.origin} sent a compressed body: only gzip and uncompressed bodies are accepted.`,
    )
  }
  const contentType = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase()
  if (!accepts(contentType)) {
    const sent = contentType ?? 'no media type'
    throw new FetchRefusedError('content_type', `${url.origin} sent ${sent}; accepted: ${acceptedTypes}.`)
  }
  const contentLength =
    headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (contentLength !== undefined && contentLength > maxBytes) throw sizeRefusal(url, maxBytes)
  return { isGzip, contentType, contentLength: isGzip ? undefined : contentLength }
}
