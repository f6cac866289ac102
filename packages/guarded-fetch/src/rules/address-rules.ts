import { embeddedAddress, isPublicAddress as isPublic } from '@genmount/core/addresses'
import { ipVersion } from './ip-version.ts'

/**
 * Decides whether to connect to an IP address. It gets the address in its shortest form (RFC 5952), and the IPv4
 * address if an IPv6 address embeds one. Only the result `true` allows the address.
 */
export type AllowAddress = (address: string) => boolean

/**
 * Whether an IP address is a unicast address on the public internet. The result is `false` for private, loopback,
 * link-local, carrier-grade NAT, multicast, documentation, benchmark and other special ranges, for cloud metadata
 * services, for addresses with a zone, for IPv6 transition addresses (6to4, Teredo), and for texts that are not IP
 * addresses. An IPv6 address that embeds an IPv4 address (IPv4-mapped, NAT64) is judged as the IPv4 address.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 * @example isPublicAddress('169.254.169.254') // false
 */
export function isPublicAddress(address: string): boolean {
  return isAllowedAddress(address, isPublic)
}

/** Calls `allow` with the plain form of `address`. An address without a plain form is not allowed. */
export function isAllowedAddress(address: string, allow: AllowAddress): boolean {
  const plain = plainAddress(address)
  // Compares with true, because an `allow` that is async by mistake returns a promise, which is truthy.
  return plain !== undefined && allow(plain) === true
}

/**
 * Brings an address into one spelling: RFC 5952 for IPv6, or the IPv4 address if an IPv6 address embeds one, so that a
 * rule about 10.0.0.0/8 also covers ::ffff:10.0.0.1.
 * @returns `undefined` when the text is not an IP address, or is an IPv6 address with a zone
 */
function plainAddress(address: string): string | undefined {
  const version = ipVersion(address)
  if (version !== 6) return version && address
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return embeddedAddress(canonical) ?? canonical
}
