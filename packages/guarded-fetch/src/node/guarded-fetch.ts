import { guardedFetchBy, type GuardedFetch } from '../fetch/guarded-fetch.ts'
import { guardedPostBy, type GuardedPost } from '../fetch/guarded-post.ts'
import { createLookUp } from '../lookup/look-up.ts'
import { openResponse, type Network } from './open-response.ts'

/**
 * Fetches (GET) a URL from an untrusted source. It refuses:
 *
 * - schemes other than http and https, and URLs with a user name or password
 * - ports other than 80, 443 and those from 1024 on that browsers allow
 * - hosts without a public address
 * - more than 3 redirects, or a redirect from https to http
 * - any status other than 200, and compressed bodies other than gzip
 * - answers that break a limit of the options
 *
 * It asks for uncompressed bodies. Some object stores send a file that was stored as gzip all the same, so gzip is inflated,
 * and `maxBytes` counts the inflated bytes. Each redirect is checked like the first URL. Addresses are checked at the moment of connecting, and nothing is sent
 * to a refused address. Proxy settings of the environment are ignored.
 * @throws FetchRefusedError that says why, and whether the same URL may succeed later
 * @throws TypeError when an option is wrong
 * @throws the reason of `signal`, when `signal` aborts
 * @example
 * const response = await guardedFetch(url, { accept: ['image/*'], maxBytes: 5_000_000 })
 * const image = await response.bytes()
 */
export const guardedFetch: GuardedFetch = createGuardedFetch({ lookUp: createLookUp() })

/**
 * Posts to a URL from an untrusted source. It refuses the same URLs and addresses as `guardedFetch`, follows no
 * redirect, and uses no proxy. Any status is an answer. At most 16 kB of the answer's body are read, and dropped.
 * @throws FetchRefusedError when there is no answer: `bad_url`, `scheme`, `port`, `address`, `timeout` or `network`
 * @throws TypeError when an option is wrong
 * @throws the reason of `signal`, when `signal` aborts before there is an answer
 * @example const { status } = await guardedPost(url, { body: '{}', headers: { 'content-type': 'application/json' } })
 */
export const guardedPost: GuardedPost = createGuardedPost({ lookUp: createLookUp() })

/** `guardedFetch` with another network, for tests. */
export function createGuardedFetch(network: Network): GuardedFetch {
  return guardedFetchBy((hop) => openResponse(network, hop))
}

/** `guardedPost` with another network, for tests. */
export function createGuardedPost(network: Network): GuardedPost {
  return guardedPostBy((hop) => openResponse(network, hop))
}
