import { FetchRefusedError } from '../fetch/fetch-refused-error.ts'
import { ipVersion } from './ip-version.ts'
import { isAllowedAddress, isPublicAddress, type AllowAddress } from './address-rules.ts'

/** The result of `classifyUrl`: the parsed URL, or why it is refused. */
export type UrlVerdict =
  | {
      /** The URL may be handed on. */
      readonly allowed: true
      /** The parsed URL. */
      readonly url: URL
    }
  | {
      /** The URL must not be handed on. */
      readonly allowed: false
      /** The reason, with a message that may be shown to the person who gave the URL. */
      readonly refusal: FetchRefusedError
    }

/**
 * Judges a URL that is passed on to another service instead of being fetched. It reads only the text of the URL and
 * sends no DNS query. It refuses all URLs that {@link guardedFetch} refuses before it connects, and host names that
 * have a meaning only on a local network: names without a dot, and names that end in localhost, local, localdomain,
 * internal or home.arpa.
 * @example
 * const verdict = classifyUrl(input.image)
 * if (!verdict.allowed)
 *   return { state: 'failed', code: 'input_fetch_failed', message: verdict.refusal.message }
 */
export function classifyUrl(url: string | URL): UrlVerdict {
  try {
    const checked = checkUrl(url, isPublicAddress)
    if (isLocalName(checked)) {
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
 * Parses a URL and checks everything that can be checked in its text.
 * @throws FetchRefusedError `bad_url`, `scheme`, `port` or `address`
 */
export function checkUrl(target: string | URL, allowAddress: AllowAddress, relativeTo?: URL): URL {
  if (!URL.canParse(String(target), relativeTo)) {
    throw new FetchRefusedError('bad_url', 'The URL cannot be parsed: give an absolute http or https URL.')
  }
  const url = new URL(target, relativeTo)
  // Messages contain only the origin, because user info, path and query may contain secrets. This message leaves the
  // scheme out as well, because "user:password@host" is parsed as a URL with the scheme "user:".
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
  // Leaves out the address that the name resolved to, so that strangers cannot learn names and addresses of our
  // network.
  return new FetchRefusedError(
    'address',
    `${url.origin} is refused: only hosts with a public address are fetched.`,
  )
}

/**
 * The ports from 1024 on that the Fetch standard blocks, because services there may misread HTTP as their own protocol.
 */
const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

function isAllowedPort(port: string): boolean {
  return ['', '80', '443'].includes(port) || (Number(port) >= 1024 && !blockedPorts.includes(Number(port)))
}

/**
 * The host, if it is an IP address. The URL parser has already turned every spelling of IPv4 into four decimal numbers.
 */
function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipVersion(address) && address
}

/**
 * Whether the host is a name that RFC 6761, RFC 6762 and RFC 8375 reserve for local networks, or `internal`, which ICANN
 * reserves for private use.
 */
export function isLocalName(url: URL): boolean {
  const name = url.hostname.replace(/\.$/, '')
  return (
    literalAddress(url) === undefined &&
    (!name.includes('.') || /\.(localhost|local|localdomain|internal|home\.arpa)$/.test(name))
  )
}
