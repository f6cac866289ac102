/** Matches only targets that the URL parser would leave as they are. */
const plain = /^\/[\w/-]*(?:\?[\w=&-]*)?$/

/** The scheme and the authority of a URL, if every parser sees their end at the same character. */
const plainOrigin = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?=\/)/i

/**
 * The path and query of a request from `/v1` on, without the mount path in front. A path belongs to the interface only
 * as it is written: a target whose path the URL parser would change, such as `/x/../v1/generate`, or a target in
 * absolute form (RFC 9112 section 3.2.2), is a different path for some routers. It would pass by the guards, such as a
 * rate limit, that an app has mounted on `/v1`.
 * @param target the request target, such as `/media/v1/jobs/gen_1?a=b`
 * @param mountPath `''` or a path such as `/media`
 * @returns for example `/v1/jobs/gen_1?a=b`; `undefined` for a path that does not belong to the interface
 */
export function v1Path(target: string, mountPath: string): string | undefined {
  const path = plain.test(target) ? target : targetAsWritten(target)
  if (!path?.startsWith(mountPath)) return undefined
  const below = path.slice(mountPath.length)
  return below === '/v1' || below.startsWith('/v1/') || below.startsWith('/v1?') ? below : undefined
}

/** The target with its query as the URL parser writes it. @returns `undefined` if the parser would change the path */
export function targetAsWritten(target: string): string | undefined {
  if (!target.startsWith('/')) return undefined
  // Without a host in front, the parser would take the first part of a target such as //evil/v1 for the host.
  const url = URL.parse(`http://host${target}`)
  return url && url.pathname === target.split('?', 1)[0] ? url.pathname + url.search : undefined
}

/**
 * The request target in the `url` of a `Request`.
 * @returns `undefined` for a URL that not every parser splits at the same place. Servers of some runtimes make such a
 * URL of a Host header like `a?b`.
 */
export function targetOf(url: string): string | undefined {
  const [origin] = plainOrigin.exec(url) ?? []
  return origin === undefined ? undefined : url.slice(origin.length)
}
