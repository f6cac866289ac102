import { isPrivateHost } from './is-private-host.ts'

/**
 * The longest URL for a `Location` header, in bytes. Many clients and proxies, and nginx by default, refuse longer
 * headers.
 */
export const longestLocation = 8192

/**
 * Says why an output's URL is not accepted. The service neither redirects clients to such a URL nor fetches from it.
 * `undefined` when the URL is accepted.
 */
export function outputUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'an output is neither bytes nor a URL'
  if (url.protocol !== 'https:') return `an output is at a ${url.protocol} URL and not at an https: one`
  if (url.username || url.password) return 'an output URL contains credentials'
  return isPrivateHost(url.hostname) ? 'an output is at an address of a private network' : undefined
}

/**
 * The URL in the form for a `Location` header.
 * @returns `undefined` when no client may be sent to the URL: it is not https, contains credentials, leads to an
 *   address of a private network, or has more than 8192 bytes
 */
export function redirectTarget(text: string): string | undefined {
  if (outputUrlFault(text) !== undefined) return undefined
  const { href } = new URL(text)
  return href.length <= longestLocation ? href : undefined
}
