import { GenerationError, type PluginReply, type PluginRoute, type RouteKeys } from '@genmount/core'
import { withJsonBody } from '../body/with-json-body.ts'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import { decodedSegment, queryIn } from '../interface/path-parts.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { RouteMethod } from '../interface/path-routes.ts'
import type { V1Reply } from '../interface/v1-request.ts'

/** A path that plugins add to the interface. */
interface PluginPath {
  readonly path: string
  readonly answers: Partial<Record<RouteMethod, Answer<OwnedExchange>>>
  /** See `PluginRoute.authenticate`. */
  readonly keys: RouteKeys | undefined
}

/**
 * The paths that the plugins of the service add to the interface, each with its answers by method.
 * @throws TypeError when two routes of a path are for the holders of different keys
 */
export function pluginRoutes(context: RouteContext): readonly PluginPath[] {
  const paths = new Map<string, PluginPath>()
  for (const route of context.service.routes) {
    const { path, method, authenticate: keys } = route
    const onPath = paths.get(path) ?? { path, answers: {}, keys }
    if (onPath.keys !== keys)
      throw new TypeError(`Two plugins have the route ${path}, and not with the same keys.`)
    onPath.answers[method] ??= pluginAnswer(context, route)
    paths.set(path, onPath)
  }
  return [...paths.values()]
}

function pluginAnswer(context: RouteContext, route: PluginRoute): Answer<OwnedExchange> {
  return async (exchange) => {
    const { request, owner, baseUrl, params } = exchange
    return replyOf(
      await route.answer({
        owner,
        params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decoded(value)])),
        query: queryIn(request.path) ?? new URLSearchParams(),
        baseUrl,
        header: (name) => request.header(name),
        json: () => withJsonBody(exchange, context, async (body) => body),
      }),
    )
  }
}

function replyOf({ json, text, status, headers = {} }: PluginReply): V1Reply {
  if (text !== undefined) return { status: status ?? 200, headers: { ...headers }, body: text }
  if (json === undefined) return { status: status ?? 204, headers: { ...headers } }
  const typed = { 'content-type': 'application/json', ...headers }
  return { status: status ?? 200, headers: typed, body: JSON.stringify(json) }
}

/** A letter, a digit or one of `-._~` that is percent-encoded without need (RFC 3986 section 2.3). */
const needless = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

/** A second spelling stays as it was sent: by it, a request would pass a guard that the host has in front of a path. */
function decoded(segment: string): string {
  const text = needless.test(segment) ? segment : decodedSegment(segment)
  if (text !== undefined) return text
  throw new GenerationError('invalid_request', 'The path has a percent sign that encodes no character.')
}
