import { isIP } from 'node:net'
import { FetchRefusedError } from '../fetch/fetch-refused-error.ts'
import { isAllowedAddress, isPublicAddress, type AllowAddress } from './address-rules.ts'

/** What `classifyUrl` says: the parsed URL, or why it is refused. */
export type UrlVerdict =
  | { readonly allowed: true; readonly url: URL }
  | { readonly allowed: false; readonly refusal: FetchRefusedError }

/**
 * Judges a URL that is handed on to somebody else without being fetched: by its text alone, without DNS. Refused are
 * all that `guardedFetch` refuses before it connects (see there), and host names that only mean something on a local
 * network: without a dot, or ending in localhost, local, localdomain, internal or home.arpa.
 * @example
 * const verdict = classifyUrl(input.image)
 * if (!verdict.allowed) return { state: 'failed', code: 'input_fetch_failed', message: verdict.refusal.message }
 */
export function classifyUrl(url: string | URL): UrlVerdict {
  try {
    const checked = checkUrl(url, isPublicAddress)
    if (literalAddress(checked) === undefined && isLocalName(checked.hostname)) {
      throw new FetchRefusedError(
        'address',
        `${checked.origin} is refused: give a host name of the public internet.`,
      )
    }
    return { allowed: true, url: checked }
  } catch (refusal) {
    if (refusal instanceof FetchRefusedError) return { allowed: false, refusal }
    throw refusal
  }
}

/**
 * The parsed URL, if it may be fetched as far as its text tells.
 * @throws FetchRefusedError `bad_url`, `scheme`, `port` or `address`
 */
export function checkUrl(given: string | URL, allowAddress: AllowAddress, relativeTo?: URL): URL {
  if (!URL.canParse(String(given), relativeTo)) {
    throw new FetchRefusedError('bad_url', 'The URL cannot be parsed: give an absolute http or https URL.')
  }
  const url = new URL(given, relativeTo)
  // Messages name the origin and nothing else: user info, path and query may hold secrets. So may what looks like a
  // scheme: "user:password@host" has the scheme "user:".
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchRefusedError('scheme', 'The scheme of the URL is refused: give an http or https URL.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefusedError(
      'bad_url',
      `The URL of ${url.origin} is refused: give it without user name and password.`,
    )
  }
  if (!isAllowedPort(url.port)) {
    throw new FetchRefusedError(
      'port',
      `The port of ${url.origin} is refused: give 80, 443 or a web port from 1024 on.`,
    )
  }
  const address = literalAddress(url)
  if (address !== undefined && !isAllowedAddress(address, allowAddress)) throw addressRefusal(url)
  return url
}

export function addressRefusal(url: URL): FetchRefusedError {
  // Without the address that a name resolved to: a stranger should not learn what our DNS knows.
  return new FetchRefusedError(
    'address',
    `${url.origin} is refused: only hosts with a public address are fetched.`,
  )
}

/** Ports from 1024 on that the Fetch standard blocks, for fear that the service behind would take HTTP for its own. */
const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

function isAllowedPort(port: string): boolean {
  return ['', '80', '443'].includes(port) || (Number(port) >= 1024 && !blockedPorts.includes(Number(port)))
}

/** The host where it is an IP address; the URL standard has brought every spelling of IPv4 to four decimals. */
function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? undefined : address
}

/** RFC 6761 and 6762, RFC 8375, and what ICANN has reserved for private use. */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|localdomain|internal|home\.arpa)$/.test(name)
}
