import type { LookupAddress } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/**
 * Reads a small file of the system again only when it has changed. Not through the asynchronous file functions: they wait
 * for the threads that this package must not depend on.
 */
function remembered<T>(parse: (lines: readonly string[]) => T): (file: string) => T {
  const known = new Map<string, { readonly version: string; readonly content: T }>()
  return (file) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    const version = `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
    let entry = known.get(file)
    if (entry?.version !== version) {
      entry = { version, content: parse(stat ? readFileSync(file, 'utf8').split('\n') : []) }
      known.set(file, entry)
    }
    return entry.content
  }
}

/** @see https://man7.org/linux/man-pages/man5/hosts.5.html */
const readHosts = remembered((lines) => {
  const addressesOf = new Map<string, LookupAddress[]>()
  for (const line of lines) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map((text) => text.toLowerCase())) {
      addressesOf.set(name, [...(addressesOf.get(name) ?? []), { address, family }])
    }
  }
  return addressesOf
})

/** What the hosts file says of a name. */
export function hostsFileAddresses(file: string, hostname: string): LookupAddress[] | undefined {
  return readHosts(file).get(hostname.toLowerCase().replace(/\.$/, ''))
}

/** @see https://man7.org/linux/man-pages/man5/resolv.conf.5.html */
const readSearchDomains = remembered((lines) =>
  lines.reduce<readonly string[]>((domains, line) => {
    const [keyword, ...listed] = line.trim().split(/\s+/)
    // The last line wins; a lone dot is the root, within which a name is as it is.
    return keyword === 'search' || keyword === 'domain' ? listed.filter((domain) => domain !== '.') : domains
  }, []),
)

/** The domains within which the system looks a short name up, such as `svc.cluster.local`. None where there is no such file. */
export function searchDomains(file: string): readonly string[] {
  return readSearchDomains(file)
}
