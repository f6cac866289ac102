import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Decides whether to connect to an IP address. It gets the address in its shortest form (RFC 5952), and gets the IPv4
 * address when an IPv6 address stands for one. Only the result `true` allows the address.
 */
export type AllowAddress = (address: string) => boolean

/**
 * Whether an IP address is a unicast address on the public internet. The result is `false` for private, loopback,
 * link-local, carrier-grade NAT, multicast, documentation, benchmark and other special ranges, for cloud metadata
 * services, for addresses with a zone, for IPv6 transition addresses (6to4, Teredo), and for texts that are not IP
 * addresses. An IPv6 address that stands for an IPv4 address (IPv4-mapped, NAT64) is judged as the IPv4 address.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 * @example isPublicAddress('169.254.169.254') // false
 */
export function isPublicAddress(address: string): boolean {
  return isAllowedAddress(address, isPublic)
}

/** Asks `allow` about the plain form of `address`. An address without a plain form is not allowed. */
export function isAllowedAddress(address: string, allow: AllowAddress): boolean {
  const plain = plainAddress(address)
  // Compares with true, because an `allow` that is async by mistake returns a promise, which is truthy.
  return plain !== undefined && allow(plain) === true
}

/**
 * Brings an address into one spelling: RFC 5952 for IPv6, or the IPv4 address when an IPv6 address stands for one, so
 * that a rule about 10.0.0.0/8 also covers ::ffff:10.0.0.1.
 * @returns `undefined` when the text is not an IP address, or is an IPv6 address with a zone
 */
function plainAddress(address: string): string | undefined {
  // Asks isIP first, because ipaddr.js also parses 127.1 and 0x7f000001. A zone has a meaning only on a local link.
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6 || address.includes('%')) return undefined
  // URL normalises the address first, because ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8.
  const canonical = ipaddr.IPv6.parse(new URL(`http://[${address}]`).hostname.slice(1, -1))
  return embeddingRanges.some(([range, bits]) => canonical.match(range, bits))
    ? ipaddr.fromByteArray(canonical.toByteArray().slice(12)).toString()
    : canonical.toString()
}

const embeddingRanges = [
  /** IPv4-mapped, RFC 4291 section 2.5.5.2: the operating system connects to the IPv4 address. */
  ipaddr.IPv6.parseCIDR('::ffff:0:0/96'),
  /** NAT64, RFC 6052 section 2.1: DNS64 servers return such addresses for hosts that only have IPv4. */
  ipaddr.IPv6.parseCIDR('64:ff9b::/96'),
]

/** The only IPv6 range from which IANA has assigned global unicast addresses, RFC 4291 section 2.4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's metadata, DNS and health service. Its address lies in a public range. */
const azureWireServer = '168.63.129.16'

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' ? address !== azureWireServer : parsed.match(globalUnicast)
}
