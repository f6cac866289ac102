import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Log } from '../contracts/log.ts'
import type { Model, Provider } from '../contracts/provider.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { priceOf } from '../pricing/expected-usd.ts'
import { shortText } from '../text/short-text.ts'
import type { RoutedOrder, RouteOffer, RouteOrder } from './route-order.ts'

/** How long the order of a model may take, in milliseconds. */
const limitMs = 500

/**
 * Orders the routes of a model for a new job. A fault of the app's own function goes to the log.
 * @returns `undefined` for the order of `routeModel`
 */
export type RouteOrdering = (
  order: RoutedOrder,
  context: RouteOrderingContext,
) => Promise<OrderedRoutes | undefined>

/** What orders routes gets from the service. */
export interface RouteOrderingContext {
  readonly clock: Clock
  readonly log: Log
  /** What this process has measured of the route of this name. */
  figuresOf(route: string): Pick<RouteOffer, 'isOpen' | 'medianMs'>
}

/** The order of the routes for a job. */
export interface OrderedRoutes {
  /** The names of routes, the first one first. */
  readonly names: readonly string[]
  /** What the job is expected to cost by the first of them, in US dollars. `undefined` when it is not known beforehand. */
  readonly usd: number | undefined
  /** Writes into the log which route the stored job takes first, and why. */
  logFor(job: LoggedJob): void
}

type LoggedJob = Pick<Job, 'id' | 'owner' | 'model'>

/** A route of a model, as it is offered for a job. */
interface OfferedRoute {
  readonly name: string
  readonly provider: Provider
  /** The provider's model. */
  readonly model: Model
  readonly weight: number
  /** Converts the public input. @throws when the route does not take it */
  inputOf(input: JsonObject): JsonObject | Promise<JsonObject>
}

/** Makes the ordering of a routed model. */
export function routeOrdering(order: RouteOrder, routes: readonly OfferedRoute[]): RouteOrdering {
  async function offersFor(input: JsonObject, { figuresOf }: RouteOrderingContext): Promise<RouteOffer[]> {
    const offers: RouteOffer[] = []
    for (const { name, provider, model, weight, inputOf } of routes) {
      const task = await Promise.resolve(inputOf(input)).catch(() => undefined)
      if (!task) continue
      const usd = await priceOf(model, task)
      const { isOpen, medianMs = model.typicalMs } = figuresOf(name)
      offers.push({ name, provider: provider.name, model: model.id, weight, usd, medianMs, isOpen })
    }
    return offers
  }

  async function ordered(placed: RoutedOrder, context: RouteOrderingContext) {
    const offers = await offersFor(placed.input, context)
    const choice = offers.length === 0 ? undefined : await order(placed, offers)
    if (choice === undefined) return undefined
    const { routes: names, why } = choice
    const first = offers.find(({ name }) => name === names?.[0])
    if (!first || typeof why !== 'string') {
      const accepted = offers.map(({ name }) => name).join(', ')
      throw new TypeError(`It must return { routes, why } whose first route is one of ${accepted}.`)
    }
    const { name, usd } = first
    return { names, usd, logFor: (job: LoggedJob) => logFirst(job, name, why, context.log) }
  }

  return (placed, context) => {
    const { clock, log } = context
    const { model } = placed
    return withinLimit(clock, limitMs, `order of the model ${model}`, () => ordered(placed, context)).catch(
      (cause: unknown) => {
        const words = `The routes of the model ${model} could not be ordered, and the job goes by the order of routeModel(): ${shortText(cause)}`
        log.warn(words, { model, cause })
        return undefined
      },
    )
  }
}

function logFirst({ id: job, owner, model }: LoggedJob, route: string, why: string, log: Log): void {
  const fields = { job, owner: shortText(owner), model, route }
  log.info?.(`Job ${job} goes by the route ${route} first: ${shortText(why)}.`, fields)
}
