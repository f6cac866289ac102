import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import process from 'node:process'
import { hostsFileAddresses, searchDomains } from './local-names.ts'
import { placesInLine } from './places-in-line.ts'

/** Finds the addresses of a host name, at least one. @throws the resolver's error, or the reason of `signal` */
export type LookUp = (
  hostname: string,
  signal: AbortSignal,
  owner?: string | undefined,
) => Promise<LookupAddress[]>

export interface LookUpOptions {
  /** How many names are looked up at the same time. Further names wait. @default 64 */
  readonly places?: number
  /** How long the look-up of one name may take, in milliseconds, without its time in the queue. @default 5000 */
  readonly limitMs?: number
  /** DNS servers as `address:port`. @default the system's */
  readonly servers?: readonly string[]
  /** The path of the hosts file. @default the system's, such as `/etc/hosts` */
  readonly hostsFile?: string
  /** The path of the file that lists the search domains. @default `/etc/resolv.conf` */
  readonly resolverFile?: string
}

/**
 * Looks host names up without `dns.lookup`. That function runs on the four libuv threads that the whole process shares,
 * and cannot be canceled: a few names whose DNS servers never answer would delay every look-up and file access of the
 * process.
 *
 * The order is: the hosts file, then DNS for the name itself, then DNS for the name with each of the system's search
 * domains appended. For a name without a dot the search domains come before the name itself. `localhost` is always the
 * loopback address, without a look-up.
 */
export function createLookUp(options: LookUpOptions = {}): LookUp {
  const { places = 64, limitMs = 5000, servers } = options
  const { hostsFile = systemHostsFile(), resolverFile = '/etc/resolv.conf' } = options
  const line = placesInLine(places)

  /** @throws the resolver's error for the last name that was tried */
  async function fromDns(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
    const within = hostname.endsWith('.')
      ? []
      : searchDomains(resolverFile).map((domain) => `${hostname}.${domain}`)
    const names = hostname.includes('.') ? [hostname, ...within] : [...within, hostname]
    let error: unknown
    for (const name of names) {
      // Waits for both address families, so that the answer does not depend on which of them arrives first.
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addressesBy = { 4: ipv4, 6: ipv6 } as const
      const addresses = familiesInOrder().flatMap((family) =>
        addressesBy[family].status === 'fulfilled'
          ? addressesBy[family].value.map((address) => ({ address, family }))
          : [],
      )
      if (addresses.length > 0) return addresses
      // Keeps the error that says more than "there is no address of this family".
      error = [ipv4, ipv6]
        .flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
        .toSorted((a, b) => Number(saysUnknown(a)) - Number(saysUnknown(b)))[0]
      if (!saysUnknown(error)) break
    }
    throw error ?? new Error(`${hostname} has no address`)
  }

  return async (hostname, signal, owner) => {
    const localAddresses = loopbackOf(hostname) ?? hostsFileAddresses(hostsFile, hostname)
    if (localAddresses) return localAddresses
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

/** RFC 6761, section 6.3: `localhost` and all names below it are loopback, whatever DNS answers. */
function loopbackOf(hostname: string): LookupAddress[] | undefined {
  if (!/(^|\.)localhost\.?$/i.test(hostname)) return undefined
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
}

/**
 * IPv4 comes first, unless the machine has only IPv6. The order matters, because some runtimes do not try the second
 * address when the first cannot be reached.
 */
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
