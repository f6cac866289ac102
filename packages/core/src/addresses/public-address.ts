interface Range {
  readonly network: bigint
  /** How many bits at the end of an address do not belong to the network part. */
  readonly hostBits: bigint
}

/**
 * IPv4 ranges that are not for unicast on the public internet, as registered by IANA, and the address of Azure's
 * metadata, DNS and health service (168.63.129.16), which lies in a public range.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const special4 = rangesOf(32, number4, [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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

/** The only part of IPv6 that has been assigned for unicast on the public internet (RFC 4291 section 2.4). */
const unicast6 = rangesOf(128, number6, ['2000::/3'])

/**
 * IPv6 ranges within `unicast6` that are for special purposes.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special6 = rangesOf(128, number6, [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

/**
 * IPv6 ranges whose addresses embed an IPv4 address in their last 32 bits: mapped (RFC 4291 section 2.5.5.2), for which
 * the operating system connects to the IPv4 address, and NAT64 (RFC 6052 section 2.1), which DNS64 servers return for
 * hosts that only have IPv4.
 */
const embedding4 = rangesOf(128, number6, ['::ffff:0:0/96', '64:ff9b::/96'])

/**
 * Whether an IP address is a unicast address on the public internet. An IPv6 address that embeds an IPv4 address is
 * judged as the IPv4 address.
 * @param address in the form of `URL.hostname`, without brackets: IPv4 as four decimal numbers, IPv6 in hexadecimal
 *   groups
 */
export function isPublicAddress(address: string): boolean {
  const plain = embeddedAddress(address) ?? address
  if (!plain.includes(':')) return !isIn(special4, number4(plain))
  const number = number6(plain)
  return isIn(unicast6, number) && !isIn(special6, number)
}

/**
 * The IPv4 address that an IPv6 address embeds: connections to `::ffff:10.0.0.1` go to 10.0.0.1.
 * @param address in the form that `isPublicAddress` takes
 * @returns `undefined` for an address that embeds none, and for an IPv4 address
 */
export function embeddedAddress(address: string): string | undefined {
  if (!address.includes(':')) return undefined
  const number = number6(address)
  if (!isIn(embedding4, number)) return undefined
  return [24n, 16n, 8n, 0n].map((bits) => (number >> bits) % 256n).join('.')
}

function isIn(ranges: readonly Range[], address: bigint): boolean {
  return ranges.some(({ network, hostBits }) => address >> hostBits === network >> hostBits)
}

/* @__NO_SIDE_EFFECTS__ */
function rangesOf(
  length: number,
  numberOf: (address: string) => bigint,
  texts: readonly string[],
): readonly Range[] {
  return texts.map((text) => {
    const [address = '', bits] = text.split('/')
    return { network: numberOf(address), hostBits: BigInt(length - Number(bits)) }
  })
}

function number4(text: string): bigint {
  return text.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n)
}

function number6(text: string): bigint {
  const [head = [], tail = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].reduce((number, group) => number * 65536n + BigInt(`0x${group}`), 0n)
}

/**
 * Whether a host name is `localhost` or below it, or an IP address that is not public. Other names are not looked up.
 * @param hostname in the form of `URL.hostname`: IPv4 as four decimal numbers, IPv6 in brackets and lower case
 */
export function isPrivateHost(hostname: string): boolean {
  const isAddress = hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
  if (isAddress) return !isPublicAddress(hostname.replace(/^\[|\]$/g, ''))
  return /(?:^|\.)localhost\.?$/.test(hostname)
}
