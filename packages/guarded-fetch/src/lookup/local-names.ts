import type { LookupAddress } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/**
 * Reads a small system file, and reads it again only after it has changed. It uses the synchronous file functions,
 * because the asynchronous ones wait for libuv's threads, which slow `dns.lookup` calls of other code can keep busy.
 */
function remembered<T>(parse: (lines: readonly string[]) => T): (file: string) => T {
  const files = new Map<string, { readonly version: string; readonly content: T }>()
  return (file) => {
    const stat = statSync(file, { throwIfNoEntry: false })
    const version = `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
    let entry = files.get(file)
    if (entry?.version !== version) {
      entry = { version, content: parse(stat ? readFileSync(file, 'utf8').split('\n') : []) }
      files.set(file, entry)
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

/** The addresses that the hosts file has for a name; `undefined` when it does not contain the name. */
export function hostsFileAddresses(file: string, hostname: string): LookupAddress[] | undefined {
  return readHosts(file).get(hostname.toLowerCase().replace(/\.$/, ''))
}

/** @see https://man7.org/linux/man-pages/man5/resolv.conf.5.html */
const readSearchDomains = remembered((lines) =>
  lines.reduce<readonly string[]>((domains, line) => {
    const [keyword, ...listed] = line.trim().split(/\s+/)
    // The last line wins. A single dot means the DNS root, which adds nothing to a name.
    return keyword === 'search' || keyword === 'domain' ? listed.filter((domain) => domain !== '.') : domains
  }, []),
)

/**
 * The domains that the system appends to short names, such as `svc.cluster.local`. Empty when the file does not exist.
 */
export function searchDomains(file: string): readonly string[] {
  return readSearchDomains(file)
}
