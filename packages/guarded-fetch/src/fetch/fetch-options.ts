import { isPublicAddress, type AllowAddress } from '../rules/address-rules.ts'

export interface GuardedFetchOptions {
  /** The longest body that is taken, in bytes. @default 20971520 (20 MiB) */
  readonly maxBytes?: number | undefined
  /** Time for everything, from the first look-up to the last byte of the body, in milliseconds. @default 15000 */
  readonly timeoutMs?: number | undefined
  /**
   * Media types that are taken, `image/*` for all of a kind; or a function that is asked about the answer's media type
   * in lower case and without parameters, `undefined` where the answer has none. Object stores often say
   * `application/octet-stream` or `binary/octet-stream` of an image: who looks at the bytes anyway should accept those.
   * @default every type
   */
  readonly accept?: readonly string[] | ((mediaType: string | undefined) => boolean)
  /** Gives the transfer up; the promise or the body then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * For whom it is fetched, as any text. Where look-ups of names wait, owners take turns, and one that has look-ups under way
   * gets no more places than it leaves to all others, so that its dead names delay nobody else. Not sent.
   * @default nobody: may have all places, and takes turns as one owner
   */
  readonly owner?: string | undefined
  /**
   * Whether an address may be connected to, in place of the default rule. An IPv6 address that only carries an IPv4
   * one is given as that. Of a host with several addresses only those allowed are tried.
   * @default `isPublicAddress`
   * @example (address) => isPublicAddress(address) || address === '192.168.1.20'
   */
  readonly allowAddress?: AllowAddress | undefined
  /** Sent to the origin of the URL and to no other that it redirects to. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The options, checked and filled in. */
export interface FetchRules {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly accepts: (mediaType: string | undefined) => boolean
  /** What `accepts` would have taken, in words. */
  readonly acceptedTypes: string
  readonly signal: AbortSignal | undefined
  readonly owner: string | undefined
  readonly allowAddress: AllowAddress
  /** For every origin. */
  readonly commonHeaders: Readonly<Record<string, string>>
  /** For the first origin. */
  readonly headers: Readonly<Record<string, string>>
}

/** @throws TypeError that names the option and what it takes */
export function readFetchOptions(options: GuardedFetchOptions): FetchRules {
  const {
    maxBytes = 20 * 1024 * 1024,
    timeoutMs = 15_000,
    accept = ['*/*'],
    allowAddress = isPublicAddress,
  } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw new TypeError('maxBytes must be a whole number of bytes, 0 or more')
  }
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2 ** 31 - 1) {
    throw new TypeError('timeoutMs must be a whole number of milliseconds from 1 to 2147483647')
  }
  if (options.owner !== undefined && typeof options.owner !== 'string') {
    throw new TypeError('owner must be a string')
  }
  if (typeof allowAddress !== 'function') {
    throw new TypeError('allowAddress must be a function from an IP address to a boolean')
  }
  const { header, ...acceptance } = readAccept(accept)
  const commonHeaders = {
    'user-agent': 'genmount',
    accept: header,
    // No answer is inflated, so none grows beyond what came over the wire.
    'accept-encoding': 'identity',
  }
  return {
    maxBytes,
    timeoutMs,
    ...acceptance,
    signal: options.signal,
    owner: options.owner,
    allowAddress,
    commonHeaders,
    headers: { ...commonHeaders, ...readHeaders(options.headers) },
  }
}

function readAccept(accept: NonNullable<GuardedFetchOptions['accept']>) {
  if (typeof accept === 'function') return { accepts: accept, acceptedTypes: 'other types', header: '*/*' }
  if (!Array.isArray(accept) || !accept.every((range) => /^(\*|[\w.+-]+)\/(\*|[\w.+-]+)$/.test(range))) {
    throw new TypeError('accept must be a function or a list of media types such as "image/png" or "image/*"')
  }
  const header = accept.join(', ')
  const ranges = accept.map((range) => range.toLowerCase())
  const accepts = (mediaType: string | undefined) =>
    ranges.some(
      (range) => range === '*/*' || range === mediaType || range === `${mediaType?.split('/')[0]}/*`,
    )
  return { accepts, acceptedTypes: header, header }
}

/** What decides where a request goes, how it is framed or how much it answers is not the caller's to set. */
const ownHeaders =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length|expect|range|accept-encoding|proxy-.*)$/

function readHeaders(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers = Object.fromEntries(new Headers(given))
  const own = Object.keys(headers).find((name) => ownHeaders.test(name))
  if (own !== undefined) throw new TypeError(`headers must not name "${own}", which guardedFetch sets itself`)
  return headers
}
