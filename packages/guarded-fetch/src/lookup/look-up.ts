import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import process from 'node:process'
import { hostsFileAddresses, searchDomains } from './local-names.ts'
import { placesInLine } from './places-in-line.ts'

/** The addresses of a host name, at least one. @throws the resolver's error, or the reason of `signal` */
export type LookUp = (
  hostname: string,
  signal: AbortSignal,
  owner?: string | undefined,
) => Promise<LookupAddress[]>

export interface LookUpOptions {
  /** How many names are looked up at a time; further ones wait. @default 64 */
  readonly places?: number
  /** What one name may take in milliseconds, without its wait. @default 5000 */
  readonly limitMs?: number
  /** DNS servers as `address:port`. @default the system's */
  readonly servers?: readonly string[]
  /** @default the system's, such as `/etc/hosts` */
  readonly hostsFile?: string
  /** Where search domains are read from. @default `/etc/resolv.conf` */
  readonly resolverFile?: string
}

/**
 * Looks names up without `dns.lookup`: that one runs on the few threads that the whole process shares (libuv's four), and
 * can't be called off, so that a few names whose servers never answer hold up every look-up and file access of the process.
 * Asked are the hosts file, then DNS for the name as it is, then DNS for the name within the system's search domains. A
 * name without a dot is asked within them first. `localhost` is loopback and is not asked for.
 */
export function createLookUp(options: LookUpOptions = {}): LookUp {
  const { places = 64, limitMs = 5000, servers } = options
  const { hostsFile = systemHostsFile(), resolverFile = '/etc/resolv.conf' } = options
  const line = placesInLine(places)

  /** @throws the error of the last name that was tried */
  async function fromDns(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
    const within = hostname.endsWith('.')
      ? []
      : searchDomains(resolverFile).map((domain) => `${hostname}.${domain}`)
    const names = hostname.includes('.') ? [hostname, ...within] : [...within, hostname]
    let error: unknown
    for (const name of names) {
      // Both kinds are waited for, so that the answer does not depend on which one is quicker.
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const found = { 4: ipv4, 6: ipv6 } as const
      const addresses = familiesInOrder().flatMap((family) =>
        found[family].status === 'fulfilled'
          ? found[family].value.map((address) => ({ address, family }))
          : [],
      )
      if (addresses.length > 0) return addresses
      // Of the two, the one that says more than that there is no address of this kind.
      error = [ipv4, ipv6]
        .flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
        .toSorted((a, b) => Number(saysUnknown(a)) - Number(saysUnknown(b)))[0]
      if (!saysUnknown(error)) break
    }
    throw error ?? new Error(`${hostname} has no address`)
  }

  return async (hostname, signal, owner) => {
    const known = loopbackOf(hostname) ?? hostsFileAddresses(hostsFile, hostname)
    if (known) return known
    const leave = await line.enter(signal, owner)
    const resolver = new Resolver({ timeout: 1000, tries: 2 })
    let isLate = false
    const cancel = () => resolver.cancel()
    const timer = setTimeout(() => {
      isLate = true
      cancel()
    }, limitMs)
    signal.addEventListener('abort', cancel)
    try {
      if (servers) resolver.setServers(servers)
      return await fromDns(hostname, resolver)
    } catch (cause) {
      if (!isLate) throw cause
      throw Object.assign(new Error(`DNS has not answered within ${limitMs} ms`, { cause }), {
        code: 'ETIMEOUT',
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      leave()
    }
  }
}

function systemHostsFile(): string {
  if (process.platform !== 'win32') return '/etc/hosts'
  return `${process.env['SystemRoot']}\\System32\\drivers\\etc\\hosts`
}

/** RFC 6761 section 6.3: these names are loopback, whatever DNS says. */
function loopbackOf(hostname: string): LookupAddress[] | undefined {
  if (!/(^|\.)localhost\.?$/i.test(hostname)) return undefined
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
}

/** IPv4 first, unless the machine has IPv6 alone: not every runtime tries the second address when the first is out of reach. */
function familiesInOrder(): readonly [4 | 6, 4 | 6] {
  const outside = Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).filter(({ internal, scopeid }) => !internal && !scopeid),
  )
  const hasIpv6Alone = outside.length > 0 && outside.every(({ family }) => family === 'IPv6')
  return hasIpv6Alone ? [6, 4] : [4, 6]
}

function saysUnknown(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'ENOTFOUND' || code === 'ENODATA'
}
