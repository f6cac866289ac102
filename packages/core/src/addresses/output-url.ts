import { isPrivateHost } from './private-host.ts'

/** In bytes. What is larger in a header is refused by many clients and proxies, and by nginx as it comes. */
export const longestLocation = 8192

/** What is wrong with an output's URL, so that nobody should be led there nor fetch from there, or `undefined`. */
export function outputUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'an output is neither bytes nor a URL'
  if (url.protocol !== 'https:') return `an output is at a ${url.protocol} URL and not at an https: one`
  if (url.username || url.password) return 'an output URL contains credentials'
  return isPrivateHost(url.hostname) ? 'an output is at an address of a private network' : undefined
}

/** The URL as a `Location` may say it, or `undefined` when no client may be sent there. */
export function redirectTarget(text: string): string | undefined {
  if (outputUrlFault(text) !== undefined) return undefined
  const { href } = new URL(text)
  return href.length <= longestLocation ? href : undefined
}
