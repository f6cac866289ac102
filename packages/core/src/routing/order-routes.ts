import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import type { PollSchedule } from '../pacing/poll-schedule.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { shortText } from '../text/short-text.ts'
import type { OrderedRoutes } from './model-catalogue.ts'
import type { PricedChoice } from './route-model.ts'
import type { RoutedOrder } from './route-order.ts'

/** How long the order of a model may take, in milliseconds. */
const limitMs = 500

/** What {@link routeOrdering} works with. */
export interface RouteOrderingContext {
  readonly clock: Clock
  readonly log: Log
  readonly schedule: PollSchedule
  orderedRoutesOf(model: string): OrderedRoutes | undefined
}

/**
 * Orders the routes for a new job. A fault of the app's own function goes to the log.
 * @returns `undefined` for the order of `routeModel`
 */
export type RouteOrdering = (order: RoutedOrder) => Promise<PricedChoice | undefined> | undefined

/** Makes the ordering of a service. */
export function routeOrdering({
  clock,
  log,
  schedule,
  orderedRoutesOf,
}: RouteOrderingContext): RouteOrdering {
  return (ordered) => {
    const { model } = ordered
    const own = orderedRoutesOf(model)
    if (!own) return undefined
    const { order, routes } = own
    const figuresOf = (route: string) => ({
      isOpen: routes.isOpen(route),
      medianMs: schedule.medianMs({ model, route }),
    })
    return withinLimit(clock, limitMs, `order of the model ${model}`, () => order(ordered, figuresOf)).catch(
      (cause: unknown) => {
        const message = `The routes of the model ${model} could not be ordered: ${shortText(cause)} The job goes by the order of routeModel().`
        log.warn(message, { model, cause })
        return undefined
      },
    )
  }
}
