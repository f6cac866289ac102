/** Matches only targets that the URL parser would leave as they are. */
const plain = /^\/[\w/-]*(?:\?[\w=&-]*)?$/

/**
 * The path and query of a request from `/v1` on, without the mount path in front. Dot segments such as `..` or `%2e%2e`
 * are resolved as the WHATWG URL parser does it, so that a path means the same on every host. Of a target in absolute
 * form (RFC 9112 section 3.2.2) only the path counts.
 * @param target the request target, such as `/media/v1/jobs/gen_1?a=b`
 * @param mountPath `''` or a path such as `/media`
 * @returns for example `/v1/jobs/gen_1?a=b`; `undefined` for a path that does not belong to the interface
 */
export function v1Path(target: string, mountPath: string): string | undefined {
  const path = plain.test(target) ? target : normalise(target)
  if (!path?.startsWith(mountPath)) return undefined
  const below = path.slice(mountPath.length)
  return below === '/v1' || below.startsWith('/v1/') || below.startsWith('/v1?') ? below : undefined
}

function normalise(target: string): string | undefined {
  // Without a host in front, the parser would take the first part of a target such as //evil/v1 for the host.
  const url = URL.parse(target.startsWith('/') ? `http://host${target}` : target)
  return url ? url.pathname + url.search : undefined
}
