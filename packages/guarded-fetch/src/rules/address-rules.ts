import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address may be connected to. It is given in its plain form: see `plainAddress`. */
export type AllowAddress = (address: string) => boolean

/**
 * Whether an IP address is unicast on the public internet. Private, loopback, link-local, carrier-grade NAT,
 * multicast, documentation, benchmark and other special ranges are not, nor are cloud metadata services, addresses
 * with a zone, IPv6 transition addresses (6to4, Teredo), or anything that is not an IP address. An IPv6 address that
 * stands for an IPv4 one (IPv4-mapped, NAT64) is judged as that one.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 * @example isPublicAddress('169.254.169.254') // false
 */
export function isPublicAddress(address: string): boolean {
  return isAllowedAddress(address, isPublic)
}

/** Asks `allow` about the plain form of `address`; what has none is not allowed. */
export function isAllowedAddress(address: string, allow: AllowAddress): boolean {
  const plain = plainAddress(address)
  // Not just truthy: a predicate that was made async by mistake would otherwise allow everything.
  return plain !== undefined && allow(plain) === true
}

/**
 * The one spelling of an address: RFC 5952, and the IPv4 address where an IPv6 address only carries one to the
 * network, so that a rule about 10.0.0.0/8 need not know of ::ffff:10.0.0.1.
 */
function plainAddress(address: string): string | undefined {
  // isIP first, because ipaddr.js also parses 127.1 and 0x7f000001. A zone only means something on a local link.
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6 || address.includes('%')) return undefined
  // Through URL, because ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8.
  const canonical = ipaddr.IPv6.parse(new URL(`http://[${address}]`).hostname.slice(1, -1))
  return embeddingRanges.some(([range, bits]) => canonical.match(range, bits))
    ? ipaddr.fromByteArray(canonical.toByteArray().slice(12)).toString()
    : canonical.toString()
}

const embeddingRanges = [
  /** IPv4-mapped, RFC 4291 section 2.5.5.2: the operating system connects to the IPv4 address. */
  ipaddr.IPv6.parseCIDR('::ffff:0:0/96'),
  /** NAT64, RFC 6052 section 2.1: what DNS64 answers for a host that only has IPv4. */
  ipaddr.IPv6.parseCIDR('64:ff9b::/96'),
]

/** All of IPv6 that IANA has handed out for global unicast, RFC 4291 section 2.4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's metadata, DNS and health service: lies in a public range. */
const azureWireServer = '168.63.129.16'

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' ? address !== azureWireServer : parsed.match(globalUnicast)
}
