import { GenerationError } from '@genmount/core'
import type { V1Settings } from './v1-options.ts'
import type { V1Request } from './v1-request.ts'

const validHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const validPrefix = /^(?:\/[\w.~-]+)+$/

/**
 * The public address of the place where the interface is mounted, without a slash at its end: the option `baseUrl`, or
 * else the address in the request.
 * @throws GenerationError `invalid_request` when the address depends on the `Host` header and this header is missing or
 * does not name one host (RFC 9112 section 3.2)
 */
export function baseUrlOf(
  request: V1Request,
  { baseUrl, trustProxy }: Pick<V1Settings, 'baseUrl' | 'trustProxy'>,
): string {
  if (baseUrl !== undefined) return baseUrl
  const forwarded = trustProxy ? forwardedParts(request) : undefined
  const host = forwarded?.host ?? request.header('host')
  if (host === undefined || !validHost.test(host)) {
    throw new GenerationError('invalid_request', 'The Host header must name one host.', { param: 'Host' })
  }
  return `${forwarded?.scheme ?? request.scheme}://${host}${forwarded?.prefix ?? ''}${request.mountPath}`
}

function forwardedParts(request: V1Request) {
  const first = (name: string, valid: RegExp) => {
    const value = request.header(name)?.split(',', 1)[0]?.trim().replace(/\/$/, '')
    return value !== undefined && valid.test(value) ? value : undefined
  }
  return {
    scheme: first('x-forwarded-proto', /^https?$/i)?.toLowerCase(),
    host: first('x-forwarded-host', validHost),
    prefix: first('x-forwarded-prefix', validPrefix),
  }
}

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
 * @param roots the paths of the further interfaces on the same mount, such as `/openai/v1`, whose requests belong too
 * @returns for example `/v1/jobs/gen_1?a=b`; `undefined` for a path that does not belong to the interface
 */
export function v1Path(target: string, mountPath: string, roots: readonly string[] = []): string | undefined {
  const path = plain.test(target) ? target : targetAsWritten(target)
  if (!path?.startsWith(mountPath)) return undefined
  const below = path.slice(mountPath.length)
  return isBelow('/v1', below) || roots.some((root) => isBelow(root, below)) ? below : undefined
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root) && (path.length === root.length || '/?'.includes(path[root.length]!))
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

/** Whether this is a path without a slash at its end, such as `/media`, that the URL parser would leave as it is. */
export function isPlainPath(path: string): boolean {
  return /^(?:\/[^/]+)*$/.test(path) && URL.parse(`http://host${path}/`)?.pathname === `${path}/`
}

/** A part of a path that an error may repeat. What has digits, or is longer, may be a key or an id of the client. */
const plainWord = /^[a-z_-]{0,16}$|^v1$/

/** The number of parts of a path that an error names at most. */
const maxParts = 12

/**
 * The error for a path at which nothing is. It names the path, because a framework in front may have changed it, but
 * replaces what may be a secret with `...`. It says where the interface is, for a client with a wrong base URL.
 */
export function noSuchRoute({
  path,
  target = path,
  mountPath,
}: Partial<Pick<V1Request, 'path' | 'target'>> & Pick<V1Request, 'mountPath'>): GenerationError {
  const parts = target?.split('?', 1)[0]?.split('/', maxParts)
  const seen = parts?.map((part) => (plainWord.test(part) ? part : '...')).join('/') ?? 'this path'
  return new GenerationError(
    'route_not_found',
    `There is nothing at ${seen}. The interface is below ${mountPath}/v1, such as POST ${mountPath}/v1/generate.`,
  )
}
