import { BlockList, isIP } from 'node:net'

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
  if (isIP(address) === 4) return address
  // A zone has a meaning only on a local link.
  if (isIP(address) !== 6 || address.includes('%')) return undefined
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return embedding.check(canonical, 'ipv6') ? embeddedAddress(canonical) : canonical
}

/** The IPv4 address in the last 32 bits. The spelling is that of URLs, in which the last 32 bits are two groups. */
function embeddedAddress(canonical: string): string {
  const [low = 0, high = 0] = canonical
    .split(':')
    .toReversed()
    .map((group) => Number(`0x0${group}`))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** IPv6 ranges whose addresses embed an IPv4 address in their last 32 bits. */
const embedding = listOf('ipv6', [
  // IPv4-mapped, RFC 4291 section 2.5.5.2: the operating system connects to the IPv4 address.
  '::ffff:0:0/96',
  // NAT64, RFC 6052 section 2.1: DNS64 servers return such addresses for hosts that only have IPv4.
  '64:ff9b::/96',
])

/** The IPv4 ranges for special purposes. All other addresses are unicast addresses on the public internet. */
const special4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's metadata, DNS and health service. Its address lies in a public range.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])

/** The only IPv6 range from which IANA has assigned global unicast addresses, RFC 4291 section 2.4. */
const globalUnicast6 = listOf('ipv6', ['2000::/3'])

/** The ranges of `globalUnicast6` that are for special purposes. */
const special6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special4.check(address, 'ipv4')
  return globalUnicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
