import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'

/** What a client has ordered from a model with several routes. */
export interface RoutedOrder {
  /** The owner of the job. */
  readonly owner: string
  /** The key with which the job is created. `undefined` when the app does not name one. */
  readonly keyId: string | undefined
  /** The id by which the client asks for the model. */
  readonly model: string
  /** The validated input. */
  readonly input: JsonObject
  /** The metadata of the request. `undefined` without any. */
  readonly metadata: Job['metadata'] | undefined
}

/** A route that takes the input of an order. */
export interface RouteOffer {
  /** The name of the route. */
  readonly name: string
  /** The name of its provider. */
  readonly provider: string
  /** The model id that this provider uses. */
  readonly model: string
  /** The `weight` of the route in the options of `routeModel`. */
  readonly weight: number
  /** What the job is expected to cost by this route, in US dollars. `undefined` when that is not known beforehand. */
  readonly usd: number | undefined
  /**
   * Half of the latest 100 jobs that this process has seen end by this route took at most so long from submit to end, in
   * milliseconds. Before the first of them, the `typicalMs` of the provider's model. `undefined` when it has none.
   */
  readonly medianMs: number | undefined
  /** Whether its provider takes new jobs now: it is not in trouble, and has not asked for a pause. */
  readonly isOpen: boolean
}

/** In which order the routes are tried for a job. */
export interface RouteChoice {
  /** The names of routes, the first one first. Those that are left out follow in the order of `routeModel`. */
  readonly routes: readonly string[]
  /** Why, in a few words for the operator's log, such as `cheapest: 0.025 USD`. */
  readonly why: string
}

/**
 * Orders the routes of a model for a new job. It is called once for each create and each retry, before the job is stored, and
 * for each estimate. It may take half a second. When it fails or takes longer, the log says so, and the job goes by the order of `routeModel`.
 * @param offers the routes that take the input, in the order of `routeModel`; at least one
 * @returns `undefined` for the order of `routeModel`
 */
export type RouteOrder = (
  order: RoutedOrder,
  offers: readonly RouteOffer[],
) => RouteChoice | undefined | Promise<RouteChoice | undefined>

/** The share of jobs that `fastestFirst` sends to another route, so that the time of each route stays up to date. */
const measuredAnewShare = 0.05

/**
 * Tries the route with the lowest expected price first. Routes whose price is not known beforehand come last.
 * @example routeModel({ id: 'flux', routes, order: cheapestFirst() })
 */
export function cheapestFirst(): RouteOrder {
  return (_order, offers) => {
    const sorted = offers.toSorted(by(({ usd = Number.POSITIVE_INFINITY }) => usd))
    const { usd } = sorted[0]!
    return usd === undefined ? undefined : choiceOf(sorted, `cheapest: ${usd} USD`)
  }
}

/**
 * Tries the route first by which jobs have ended soonest, as this process has measured. One job in twenty goes to another
 * route first, so that the time of each route stays up to date. A route without any time comes first, to be measured.
 * @example routeModel({ id: 'flux', routes, order: fastestFirst() })
 */
export function fastestFirst(): RouteOrder {
  return (_order, offers) => {
    const sorted = offers.toSorted(by(({ medianMs = 0 }) => medianMs))
    const [first, ...others] = sorted
    const measured = Math.random() < measuredAnewShare && others[Math.floor(Math.random() * others.length)]
    if (measured) return choiceOf([measured, ...sorted], 'to measure how long it takes now')
    const { medianMs } = first!
    return choiceOf(
      sorted,
      medianMs === undefined ? 'not measured yet' : `fastest: ${Math.round(medianMs)} ms`,
    )
  }
}

/**
 * Spreads jobs over the routes at random, in proportion to their `weight`. A route of weight 0 gets a job only when all others
 * refuse it.
 * @example
 * routeModel({
 *   id: 'flux',
 *   routes: [{ provider: fal, model: 'flux-dev', weight: 3 }, { provider: replicate, model: 'flux-dev' }],
 *   order: byWeight(),
 * })
 */
export function byWeight(): RouteOrder {
  return (_order, offers) => {
    // Efraimidis and Spirakis, Weighted random sampling with a reservoir (2006): the highest of these keys is a fair draw.
    const drawn = offers.map((offer) => ({ offer, key: Math.random() ** (1 / offer.weight) }))
    const sorted = drawn.toSorted(by(({ key, offer }) => (offer.weight > 0 ? -key : 1)))
    return choiceOf(
      sorted.map(({ offer }) => offer),
      'drawn by weight',
    )
  }
}

/** Compares by a number, the lowest first. Among equals, sorting keeps the order of `routeModel`. */
function by<Item>(numberOf: (item: Item) => number) {
  return (one: Item, other: Item): number => {
    const [a, b] = [numberOf(one), numberOf(other)]
    return a === b ? 0 : a - b
  }
}

function choiceOf(offers: readonly RouteOffer[], why: string): RouteChoice {
  return { routes: offers.map(({ name }) => name), why }
}
