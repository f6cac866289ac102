import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Gate } from './gate.ts'
import type { ModelRoute } from './route-model.ts'

/** How long a route's own wish not to be asked again is respected by the jobs that come after, at the most. */
const longestRestMs = 10 * 60_000
/** How long a route whose provider wants money or other credentials is passed over. */
const rejectedRestMs = 60_000

/** A way to have a job made, and the gate before its provider. A model's only route has no name. */
export interface Route extends Omit<ModelRoute, 'name'> {
  readonly name?: string
  readonly gate: Gate
}

/** What is to be done about a refusal: ask another route now, or all of them again after a pause. */
export interface AfterRefusal {
  readonly next?: Route | undefined
  readonly pauseMs?: number | undefined
}

/** A model's routes, in the order in which they are tried. */
export interface Routes {
  /** The route by which the job was submitted; `undefined` when it is gone. */
  of(job: Job): Route | undefined
  /** The route by which an accepted job is to be submitted; `undefined` when none takes new jobs now. */
  toSubmit(job: Job): Route | undefined
  /** The route does not take the job on, nor any other before `retryAfterMs`. */
  refused(route: Route, retryAfterMs?: number): AfterRefusal
  /** The route's provider takes no job of ours, whatever it is. @returns `undefined` when none of the routes does */
  rejected(route: Route): AfterRefusal | undefined
  /** How long none of them takes new jobs, in milliseconds. */
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
    of: (job) => routes.find(({ name }) => name === job.route),
    toSubmit(job) {
      // On from where it was refused; an open route before that may have become one since.
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
