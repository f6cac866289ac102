import { isPrivateHost } from './public-address.ts'

/**
 * The longest URL for a `Location` header, in bytes. Many clients and proxies, and nginx by default, refuse longer
 * headers.
 */
export const longestLocation = 8192

/**
 * Says what is wrong with an output at a URL, as in `is at an address of a private network`. The service neither
 * redirects clients to such a URL nor fetches from it.
 * @returns `undefined` when the URL is accepted
 */
export function outputUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'is neither bytes nor a URL'
  if (url.protocol !== 'https:') return `is at a URL with ${url.protocol} instead of https:`
  if (url.username || url.password) return 'has credentials in its URL'
  return isPrivateHost(url.hostname) ? 'is at an address of a private network' : undefined
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
