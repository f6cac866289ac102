import { GenerationError } from '@genmount/core'
import type { RouteOptions } from './check-v1-options.ts'
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
  { baseUrl, trustProxy }: Pick<RouteOptions, 'baseUrl' | 'trustProxy'>,
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
