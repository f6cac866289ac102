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

/** A job whose routes are tried in an order of its own, if it has one. */
type OrderedJob = Pick<Job, 'routeOrder'>

/** A model's routes. They are tried in this order, unless a job has an order of its own: `Job.routeOrder`. */
export interface Routes {
  /** The route by which the job was submitted; `undefined` when it is none of these routes any more. */
  of(job: Job): Route | undefined
  /** The route by which an accepted job is to be submitted; `undefined` when no route takes new jobs now. */
  toSubmit(job: Job): Route | undefined
  /** Records that the route has refused the job and accepts no other job for the next `retryAfterMs` milliseconds. */
  refused(route: Route, job: OrderedJob, retryAfterMs?: number): AfterRefusal
  /**
   * Records that the route's provider rejects the account of this service, whatever the job is.
   * @returns `undefined` when this is so for all routes
   */
  rejected(route: Route, job: OrderedJob): AfterRefusal | undefined
  /** For how many milliseconds no route accepts new jobs; 0 when a route does. */
  pauseMs(): number
  /** Whether the route of this name accepts new jobs now. */
  isOpen(name: string): boolean
}

export function modelRoutes(routes: readonly Route[], clock: Clock): Routes {
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
    if (routes.length === 1) return { pauseMs: retryAfterMs }
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
    isOpen: (name) => routes.some((route) => route.name === name && isOpen(route)),
  }
}

/** Whether the job was submitted by the route, which may since lead to another provider, or to another of its models. */
function isRouteOf(
  { name, provider, model }: Route,
  { route, provider: submittedTo = provider.name, providerModel = model }: Job,
): boolean {
  return name === route && provider.name === submittedTo && model === providerModel
}
