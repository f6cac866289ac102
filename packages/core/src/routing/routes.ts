import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Gate } from './gate.ts'
import type { ModelRoute } from './route-model.ts'

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

/** A route together with its provider's gate. The only route of a model has no name. */
export interface Route extends Omit<ModelRoute, 'name'> {
  readonly name?: string
  readonly gate: Gate
}

/** What to do after a refusal: submit by the route `next` now, or try all routes again after `pauseMs` milliseconds. */
export interface AfterRefusal {
  readonly next?: Route | undefined
  readonly pauseMs?: number | undefined
}

/** A model's routes, in the order in which they are tried. */
export interface Routes {
  /** The route by which the job was submitted; `undefined` when it is none of these routes any more. */
  of(job: Job): Route | undefined
  /** The route by which an accepted job is to be submitted; `undefined` when no route takes new jobs now. */
  toSubmit(job: Job): Route | undefined
  /** Records that the route has refused a job and accepts no other job for the next `retryAfterMs` milliseconds. */
  refused(route: Route, retryAfterMs?: number): AfterRefusal
  /**
   * Records that the route's provider rejects the account of this service, whatever the job is.
   * @returns `undefined` when this is so for all routes
   */
  rejected(route: Route): AfterRefusal | undefined
  /** For how many milliseconds no route accepts new jobs; 0 when a route does. */
  pauseMs(): number
}

export function modelRoutes(routes: readonly Route[], clock: Clock): Routes {
  const restingUntil = new Map<Route, number>()
  const rejectingUntil = new Map<Route, number>()

  const restOf = (route: Route) => Math.max(0, (restingUntil.get(route) ?? 0) - clock.uptime())
  const pauseOf = (route: Route) => Math.max(route.gate.breaker.pauseMs(), restOf(route))
  const isOpen = (route: Route) => pauseOf(route) === 0
  const pauseMs = () => Math.min(...routes.map(pauseOf))

  function refused(route: Route, retryAfterMs = 0): AfterRefusal {
    if (routes.length === 1) return { pauseMs: retryAfterMs }
    const restMs = Math.max(restOf(route), Math.min(longestRestMs, retryAfterMs))
    restingUntil.set(route, clock.uptime() + restMs)
    const next = routes.slice(routes.indexOf(route) + 1).find(isOpen)
    return next ? { next } : { pauseMs: pauseMs() }
  }

  return {
    of: (job) => routes.find((route) => isRouteOf(route, job)),
    toSubmit(job) {
      // Begins with the job's own route, which a refusal may have set. The routes before it come last.
      const at = Math.max(
        0,
        routes.findIndex(({ name }) => name === job.route),
      )
      return routes.slice(at).find(isOpen) ?? routes.slice(0, at).find(isOpen)
    },
    refused,
    rejected(route) {
      const now = clock.uptime()
      rejectingUntil.set(route, now + rejectedRestMs)
      const isHopeless = routes.every((other) => (rejectingUntil.get(other) ?? 0) > now)
      return isHopeless ? undefined : refused(route, rejectedRestMs)
    },
    pauseMs,
  }
}

/** Whether the job was submitted by the route, which may since lead to another provider, or to another of its models. */
function isRouteOf(
  { name, provider, model }: Route,
  { route, provider: submittedTo = provider.name, providerModel = model }: Job,
): boolean {
  return name === route && provider.name === submittedTo && model === providerModel
}
