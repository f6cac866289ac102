import { isPublicAddress, type AllowAddress } from '../rules/address-rules.ts'

/** The limits of one fetch, and what is sent with it. Each has a default. */
export interface GuardedFetchOptions {
  /** The longest body that is accepted, in bytes. @default 20971520 (20 MiB) */
  readonly maxBytes?: number | undefined
  /**
   * How long the whole fetch may take, from the first DNS look-up to the last byte of the body, in milliseconds.
   * @default 15000
   */
  readonly timeoutMs?: number | undefined
  /**
   * The media types that are accepted: a list, in which `image/*` means all image types, or a function. The function
   * gets the media type of the answer, in lower case and without parameters, or `undefined` when the answer has none.
   * Object stores often send an image as `application/octet-stream` or `binary/octet-stream`. Accept those two types as
   * well if you check the bytes yourself.
   * @default every type
   */
  readonly accept?: readonly string[] | ((mediaType: string | undefined) => boolean)
  /** Aborting it stops the transfer. The promise or the body then fails with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined
  /**
   * The owner for whom the URL is fetched, as any text. It is never sent. When DNS look-ups have to wait, the owners
   * take turns. An owner with a look-up under way may start another one only if at least as many places stay free for
   * the others. So an owner whose names have DNS servers that never answer delays no other owner.
   * @default none: such fetches take turns as one owner, which may use all places
   */
  readonly owner?: string | undefined
  /**
   * Decides whether to connect to an IP address. It replaces the default rule. For an IPv6 address that embeds an IPv4
   * address, the function gets the IPv4 address. If a host has several addresses, only the allowed ones are tried.
   * @default isPublicAddress
   * @example (address) => isPublicAddress(address) || address === '192.168.1.20'
   */
  readonly allowAddress?: AllowAddress | undefined
  /**
   * Request headers. They are sent to the origin of the URL, and to no other origin that it redirects to.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The checked options, with their defaults filled in. */
export interface FetchRules {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly accepts: (mediaType: string | undefined) => boolean
  /** The accepted media types in words, for error messages. */
  readonly acceptedTypes: string
  readonly signal: AbortSignal | undefined
  readonly owner: string | undefined
  readonly allowAddress: AllowAddress
  /** The headers that are sent to every origin. */
  readonly commonHeaders: Readonly<Record<string, string>>
  /** The headers that are sent to the origin of the given URL only. */
  readonly headers: Readonly<Record<string, string>>
}

const optionNames = Object.keys({
  maxBytes: true,
  timeoutMs: true,
  accept: true,
  signal: true,
  owner: true,
  allowAddress: true,
  headers: true,
} satisfies Record<keyof GuardedFetchOptions, true>)

/**
 * @param who the name of the function that takes the options, for the error message
 * @throws TypeError that names the wrong option and what it accepts
 */
export function readFetchOptions(options: GuardedFetchOptions, who = 'guardedFetch'): FetchRules {
  const stranger = Object.keys(options).find((name) => !optionNames.includes(name))
  if (stranger !== undefined) {
    throw new TypeError(`${who}: ${stranger} is not an option; the options are ${optionNames.join(', ')}`)
  }
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
    // Bodies are never decompressed, so a small compressed body cannot grow beyond the limit.
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

/**
 * Callers may not set these headers, because they decide where a request goes, where its message ends or how long the
 * answer is.
 */
const ownHeaders =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length|expect|range|accept-encoding|proxy-.*)$/

function readHeaders(init: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init))
  const own = Object.keys(headers).find((name) => ownHeaders.test(name))
  if (own !== undefined) throw new TypeError(`headers must not name "${own}", which guardedFetch sets itself`)
  return headers
}
