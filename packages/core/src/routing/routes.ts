import type { Job } from '../contracts/job.ts'
import type { Gate } from './gate.ts'
import type { PollSchedule } from '../pacing/poll-schedule.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Provider } from '../contracts/provider.ts'
import type { RoutedOrder } from './route-order.ts'
import type { RouteOrdering } from './route-ordering.ts'

/** One way to make a model's jobs. */
export interface ModelRoute {
  /** The name that is stored in jobs. */
  readonly name: string
  /** The provider that serves the route. */
  readonly provider: Provider
  /** The model id that this provider uses. */
  readonly model: string
  /**
   * Converts the public input to the input of this route.
   * @throws GenerationError when the schema of the route refuses the input, or whatever `mapInput` throws
   */
  inputOf(input: JsonObject): JsonObject | Promise<JsonObject>
}

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
export type OrderedJob = Pick<Job, 'routeOrder'>

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
  /**
   * Orders the routes for a new job. Absent when they have one order.
   * @param medianMs what this process has measured of a route: `PollSchedule.medianMs`
   */
  order?(placed: RoutedOrder, medianMs: PollSchedule['medianMs']): ReturnType<RouteOrdering>
}

/** Makes the routes of a model that has one. */
export function soleRoute(route: Route): Routes {
  const { breaker } = route.gate
  return {
    of: (job) => (isRouteOf(route, job) ? route : undefined),
    toSubmit: () => (breaker.pauseMs() === 0 ? route : undefined),
    refused: (_route, _job, retryAfterMs = 0) => ({ pauseMs: retryAfterMs }),
    rejected: () => undefined,
    pauseMs: () => breaker.pauseMs(),
  }
}

/** Whether the job was submitted by the route, which may since lead to another provider, or to another of its models. */
export function isRouteOf(
  { name, provider, model }: Route,
  { route, provider: submittedTo = provider.name, providerModel = model }: Job,
): boolean {
  return name === route && provider.name === submittedTo && model === providerModel
}
