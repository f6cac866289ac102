import { checkUrl } from '../rules/url-rules.ts'
import { readFetchOptions, type FetchRules, type GuardedFetchOptions } from './fetch-options.ts'
import { FetchRefusedError, sizeRefusal } from './fetch-refused-error.ts'
import { gatherBytes } from './gather-bytes.ts'
import { limitedBody } from './limited-body.ts'
import type { OpenedResponse, OpenHop } from './open-hop.ts'
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

/** The type of `guardedFetch`, for packages that accept it as an option. */
export type GuardedFetch = (url: string | URL, options?: GuardedFetchOptions) => Promise<GuardedResponse>

/** `guardedFetch` on a runtime that sends requests by `open`. */
export function guardedFetchBy(open: OpenHop): GuardedFetch {
  return async (address, options = {}) => {
    const rules = readFetchOptions(options)
    const transfer = beginTransfer(rules.timeoutMs, rules.signal)
    try {
      const { url, response } = await followRedirects(
        open,
        checkUrl(address, rules.allowAddress),
        rules,
        transfer.signal,
      )
      const { isGzip, ...head } = checkHead(response, url, rules)
      const body = limitedBody(response.chunks(isGzip), url, rules.maxBytes, transfer)
      return { url: url.href, ...head, body, bytes: () => gatherBytes(body) }
    } catch (error) {
      throw transfer.fail(error)
    }
  }
}

const maxRedirects = 3
const redirectStatuses = [301, 302, 303, 307, 308]

async function followRedirects(open: OpenHop, first: URL, rules: FetchRules, stop: AbortSignal) {
  const { allowAddress, owner } = rules
  let { headers } = rules
  for (let url = first, redirects = 0; ; redirects++) {
    stop.throwIfAborted()
    const response = await open({ url, headers, allowAddress, stop, owner })
    const location = response.header('location')
    const isRedirect = location !== undefined && redirectStatuses.includes(response.status)
    if (!isRedirect) return { url, response }
    response.close()
    if (redirects === maxRedirects) {
      throw new FetchRefusedError(
        'too_many_redirects',
        `${first.origin} redirects more than ${maxRedirects} times.`,
      )
    }
    const next = checkUrl(location, rules.allowAddress, url)
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new FetchRefusedError('scheme', `${url.origin} redirects to http: a redirect must stay on https.`)
    }
    // Drops all of the caller's headers and not just authorization, because vendors name their key headers differently.
    if (next.origin !== url.origin) headers = rules.commonHeaders
    url = next
  }
}

function checkHead(response: OpenedResponse, url: URL, { accepts, acceptedTypes, maxBytes }: FetchRules) {
  const { status } = response
  if (status !== 200) {
    throw new FetchRefusedError('status', `${url.origin} answered with status ${status}, not 200.`, {
      status,
    })
  }
  const encoding = response.header('content-encoding')?.toLowerCase() ?? ''
  const isGzip = encoding === 'gzip' || encoding === 'x-gzip'
  if (!isGzip && !['', 'identity'].includes(encoding)) {
    throw new FetchRefusedError(
      'content_encoding',
      `${url.origin} sent a compressed body: only gzip and uncompressed bodies are accepted.`,
    )
  }
  const contentType = /^[\w.+-]+\/[\w.+-]+/.exec(response.header('content-type') ?? '')?.[0].toLowerCase()
  if (!accepts(contentType)) {
    const sent = contentType ?? 'no media type'
    throw new FetchRefusedError('content_type', `${url.origin} sent ${sent}; accepted: ${acceptedTypes}.`)
  }
  const length = response.header('content-length')
  const contentLength = length === undefined ? undefined : Number(length)
  if (contentLength !== undefined && contentLength > maxBytes) throw sizeRefusal(url, maxBytes)
  return { isGzip, contentType, contentLength: isGzip ? undefined : contentLength }
}
