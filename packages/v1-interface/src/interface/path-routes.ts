import { Router } from 'itty-router'
import type { Answer } from './exchange.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** A method that a path may serve. */
export type RouteMethod = 'DELETE' | 'GET' | 'POST'

/** The answers to the requests for one path. */
export interface PathRoute {
  /** The path in the notation of itty-router: `:id` is one segment, `:token+` the rest, `*` anything. */
  readonly path: string
  /** The answers by the methods that the path serves. GET serves HEAD too. */
  readonly answers: Readonly<Partial<Record<RouteMethod, Answer>>>
  /** Answers the requests with any other method. */
  readonly otherwise: Answer
  /** The reply to a request that an answer refuses. */
  readonly refuse: (error: unknown) => V1Reply
}

/**
 * Finds the answer to a request by its path and method. The routes are tried in the given order.
 * @param finish completes the reply of an answer
 * @returns a function that gives the reply, or `undefined` when no route matches the path
 */
export function pathRoutes(
  routes: readonly PathRoute[],
  finish: (reply: V1Reply) => V1Reply,
): (request: V1Request) => Promise<V1Reply> | undefined {
  const compiled = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }))

  return (request) => {
    const { path: target = '' } = request
    const queryAt = target.indexOf('?')
    const path = queryAt < 0 ? target : target.slice(0, queryAt)
    const requested = (request.method === 'HEAD' ? 'GET' : request.method) as RouteMethod
    for (const { pattern, path: route, answers, otherwise, refuse } of compiled) {
      const match = pattern.exec(path)
      if (!match) continue
      const answer = Object.hasOwn(answers, requested) ? answers[requested] : undefined
      const replying = (answer ?? otherwise)({ request, path, route, params: match.groups ?? {} })
      return replying.then(finish, refuse)
    }
    return undefined
  }
}

/**
 * The regular expression that itty-router makes of a path. This is the only part of the router that is used. Its
 * `fetch` parses the URL and the whole query of each request, which takes a quarter of the time of a GET, and keeps
 * both in memory until the request is answered.
 *
 * The newest release is 5.0.24, which npm calls `latest`. 6.0.0 is deprecated, and its code is older.
 */
function patternOf(path: string): RegExp {
  const [entry] = Router().all(path).routes
  if (!entry) throw new Error(`itty-router made no route of ${path}.`)
  return entry[1]
}
