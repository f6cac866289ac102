import type { RouteKeys } from '@genmount/core'
import { countRequests, requireKeyOf, requireOwner } from '../access/require-owner.ts'
import { methodNotAllowed } from '../routes/method-not-allowed.ts'
import { noSuchRoute } from './base-url.ts'
import type { Answer, Exchange, OwnedExchange } from './exchange.ts'
import type { PathRoute, RouteMethod } from './path-routes.ts'
import type { RouteContext } from './route-context.ts'
import type { V1Reply } from './v1-request.ts'

/** The answers of a path by the methods that it serves. */
export type RouteAnswers<Given extends Exchange> = Readonly<Partial<Record<RouteMethod, Answer<Given>>>>

/**
 * Makes the routes that need a key.
 * @param refuse makes the reply to a request that is refused
 */
export function keyedRoutes(context: RouteContext, refuse: (error: unknown) => V1Reply) {
  const counted = countRequests(context.service, refuse)

  const owned = (answer: Answer<OwnedExchange>) => requireOwner(context, counted(refuseEmptySegment(answer)))

  function keyed(
    path: string,
    answers: RouteAnswers<OwnedExchange>,
    guarded: (answer: Answer<OwnedExchange>) => Answer,
  ): PathRoute {
    const names = Object.keys(answers)
    return {
      path,
      answers: Object.fromEntries(
        Object.entries(answers).map(([method, answer]) => [method, guarded(answer)]),
      ),
      otherwise: guarded(names.length > 0 ? methodNotAllowed(names) : routeNotFound),
      refuse,
    }
  }

  return {
    /** The route of a path. Without answers, there is nothing at it. */
    withKey: (path: string, answers: RouteAnswers<OwnedExchange>) => keyed(path, answers, owned),
    /** The route of a path that has keys of its own. Its requests are not counted. */
    withKeyOf: (keys: RouteKeys, path: string, answers: RouteAnswers<OwnedExchange>) =>
      keyed(path, answers, (answer) => requireKeyOf(keys, context, refuseEmptySegment(answer))),
  }
}

/**
 * Without this check the patterns of itty-router would accept any number of slashes at the end of a path. `/v1/jobs/`,
 * the path of a job without an id, would be the list, and `/v1/generate/` would pass by a guard of `/v1/generate`.
 */
function refuseEmptySegment(answer: Answer<OwnedExchange>): Answer<OwnedExchange> {
  return (exchange) => {
    const { path } = exchange
    return path.includes('//') || path.endsWith('/') ? routeNotFound(exchange) : answer(exchange)
  }
}

/** Refuses a request for a path at which nothing is. */
export async function routeNotFound({ request }: Pick<Exchange, 'request'>): Promise<never> {
  throw noSuchRoute(request)
}
