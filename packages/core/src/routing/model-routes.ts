import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import type { RouteOrdering } from './route-ordering.ts'
import { type AfterRefusal, isRouteOf, type OrderedJob, type Route, type Routes } from './routes.ts'

/**
 * The longest time for which a route is skipped at its provider's request, in milliseconds. After this time other jobs
 * try it again.
 */
const longestRestMs = 10 * 60_000
/**
 * For how many milliseconds a route is skipped after its provider has rejected the credentials of this service, or
 * because the account of this service has no credit.
 */
const rejectedRestMs = 60_000

/** What the routes of a model work with. */
export interface RoutesContext {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Makes the routes of a model that has several.
 * @param ordering orders them for each new job. @default they have one order
 */
export function modelRoutes(
  routes: readonly Route[],
  { clock, log }: RoutesContext,
  ordering?: RouteOrdering,
): Routes {
  const restingUntil = new Map<Route, number>()
  const rejectingUntil = new Map<Route, number>()

  const restOf = (route: Route) => Math.max(0, (restingUntil.get(route) ?? 0) - clock.uptime())
  const pauseOf = (route: Route) => Math.max(route.gate.breaker.pauseMs(), restOf(route))
  const isOpen = (route: Route) => pauseOf(route) === 0
  const pauseMs = () => Math.min(...routes.map(pauseOf))

  /** The routes in the order in which they are tried for the job. Names that are no routes any more do not count. */
  function orderFor({ routeOrder = [] }: OrderedJob): readonly Route[] {
    if (routeOrder.length === 0) return routes
    const first = routeOrder.flatMap((name) => routes.filter((route) => route.name === name))
    return [...new Set([...first, ...routes])]
  }

  function refused(route: Route, job: OrderedJob, retryAfterMs = 0): AfterRefusal {
    const restMs = Math.max(restOf(route), Math.min(longestRestMs, retryAfterMs))
    restingUntil.set(route, clock.uptime() + restMs)
    const ordered = orderFor(job)
    const next = ordered.slice(ordered.indexOf(route) + 1).find(isOpen)
    return next ? { next } : { pauseMs: pauseMs() }
  }

  return {
    of: (job) => routes.find((route) => isRouteOf(route, job)),
    toSubmit(job) {
      // Begins with the job's own route, which a refusal may have set. The routes before it come last.
      const ordered = orderFor(job)
      const at = Math.max(
        0,
        ordered.findIndex(({ name }) => name === job.route),
      )
      return ordered.slice(at).find(isOpen) ?? ordered.slice(0, at).find(isOpen)
    },
    refused,
    rejected(route, job) {
      const now = clock.uptime()
      rejectingUntil.set(route, now + rejectedRestMs)
      const isHopeless = routes.every((other) => (rejectingUntil.get(other) ?? 0) > now)
      return isHopeless ? undefined : refused(route, job, rejectedRestMs)
    },
    pauseMs,
    ...(ordering && {
      order(placed, medianMs) {
        const { model } = placed
        const isOpenNow = (name: string) => routes.some((route) => route.name === name && isOpen(route))
        const figuresOf = (route: string) => ({
          isOpen: isOpenNow(route),
          medianMs: medianMs({ model, route }),
        })
        return ordering(placed, { clock, log, figuresOf })
      },
    }),
  }
}
