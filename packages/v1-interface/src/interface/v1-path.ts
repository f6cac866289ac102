/** Targets of which the URL parser would change nothing. */
const plain = /^\/[\w/-]*(?:\?[\w=&-]*)?$/

/**
 * The path and query of a request below its mount path, from `/v1` on. Dot segments, encoded ones too, are folded as
 * the WHATWG URL parser does, so that a path means the same on every host; of an absolute-form target (RFC 9112 section
 * 3.2.2) only the path counts.
 * @returns `undefined` for a path that is not the interface's
 */
export function v1Path(target: string, mountPath: string): string | undefined {
  const path = plain.test(target) ? target : normalise(target)
  if (!path?.startsWith(mountPath)) return undefined
  const below = path.slice(mountPath.length)
  return below === '/v1' || below.startsWith('/v1/') || below.startsWith('/v1?') ? below : undefined
}

function normalise(target: string): string | undefined {
  // Without a host in front, a target such as //evil/v1 would be read as one.
  const url = URL.parse(target.startsWith('/') ? `http://host${target}` : target)
  return url ? url.pathname + url.search : undefined
}
