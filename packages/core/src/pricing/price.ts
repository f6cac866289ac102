import type { JsonObject } from '../contracts/json.ts'
import { accepts, type Check, optional } from '../errors/check-option.ts'
import type { ModelPrice } from '../contracts/provider.ts'
import { expectedUnits } from './expected-usd.ts'

/** The figures from which a price is calculated. */
export interface PricedTask {
  /** The validated input of the task. */
  readonly input: JsonObject
  /**
   * How many units the vendor counts for the task. The provider's documentation says which unit: seconds, outputs, a
   * million tokens. When the vendor has not counted them, the cost of a function that reads them is unknown.
   */
  readonly units: number
}

/**
 * What a model costs, in US dollars: an amount for each unit; a table of amounts for each unit, by the value of an input
 * field; or a function that calculates the cost of the whole task.
 * @example 0.04
 * @example { by: 'resolution', usd: { '720p': 0.1, '1080p': 0.25 } }
 * @example ({ input, units }) => units * (input.audio ? 0.4 : 0.2)
 */
export type Price =
  | number
  | {
      /** The name of the input field. */
      readonly by: string
      /** The amount for each unit, by the value of that field as text. */
      readonly usd: Readonly<Record<string, number>>
    }
  | ((task: PricedTask) => number)

/** Whether the value is a finite number of at least 0, as amounts of money and durations must be. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Checks an option that is a {@link Price} with amounts of at least 0, or left out. */
export const checkPrice: Check<Price | undefined> = optional(
  accepts<Price>('US dollars of at least 0, a table { by, usd } of such amounts, or a function', isPrice),
)

const priceOrUnknown = optional(
  accepts<Price | 'unknown'>(
    "US dollars of at least 0, a table { by, usd } of such amounts, a function, or 'unknown'",
    (price) => price === 'unknown' || isPrice(price),
  ),
)

/**
 * Checks an option that is a {@link Price} with amounts of at least 0, or `'unknown'`, or left out.
 * @returns `undefined` when nobody knows the price
 */
export const checkPriceOrUnknown: Check<Price | undefined> = (name, value) => {
  const price = priceOrUnknown(name, value)
  return price === 'unknown' ? undefined : price
}

function isPrice(price: unknown): boolean {
  return typeof price === 'function' || isAmount(price) || isTable(price)
}

function isTable(price: unknown): boolean {
  if (typeof price !== 'object' || price === null) return false
  const { by, usd } = price as { readonly by?: unknown; readonly usd?: object }
  const amounts: readonly unknown[] = Object.values(usd ?? {})
  return typeof by === 'string' && amounts.length > 0 && amounts.every(isAmount)
}

/**
 * The cost of a task in US dollars, rounded to a millionth. It never throws, because a mistake in a price list must not
 * fail a job that is paid for.
 * @param task its units may be missing, because vendors at times do not count them, or write a text in their place. Then
 *   the price still gives a cost if it does not depend on units: 0, or a function that reads only the input
 * @returns `undefined` when there is no price, or the price gives no amount of at least 0 for this task
 */
export function costOf(
  price: Price | undefined,
  { input, units }: Omit<PricedTask, 'units'> & { readonly units: number | undefined },
): number | undefined {
  const amount = amountOf(price, input, isAmount(units) ? units : undefined)
  return isAmount(amount) ? Math.round(amount * 1e6) / 1e6 : undefined
}

function amountOf(price: Price | undefined, input: JsonObject, units: number | undefined): unknown {
  if (typeof price === 'function') return resultOf(price, input, units)
  const each = typeof price === 'object' ? price.usd[String(input[price.by])] : price
  return each === 0 ? 0 : (each ?? Number.NaN) * (units ?? Number.NaN)
}

function resultOf(
  price: Extract<Price, (task: PricedTask) => number>,
  input: JsonObject,
  units: number | undefined,
): unknown {
  let isByUnits = false
  const task: PricedTask = {
    input,
    get units() {
      isByUnits = true
      return units ?? Number.NaN
    },
  }
  try {
    const amount: unknown = price(task)
    // A comparison with NaN would have given an amount that nobody charges.
    return isByUnits && units === undefined ? undefined : amount
  } catch {
    return undefined
  }
}

/**
 * A price as clients see it.
 * @param per the unit of the price, in the singular: `image`, `second`
 * @returns `undefined` when there is no price
 * @example shownPrice(0.04, 'image') // { text: '0.04 USD per image', per: 'image', usd: 0.04 }
 */
export function shownPrice(price: Price | undefined, per: string): ModelPrice | undefined {
  switch (typeof price) {
    case 'undefined':
      return undefined
    case 'function': {
      const text = `calculated from the input of each job and its ${per}s`
      return { text, usdOf: (input) => costOf(price, { input, units: expectedUnits(per, input) }) }
    }
    case 'number':
      return { text: price === 0 ? 'free' : `${price} USD per ${per}`, per, usd: price }
    case 'object': {
      const { by: field, usd } = price
      const [[value, amount] = [], ...others] = Object.entries(usd)
      const rest = others.map(([other, dollars]) => `, ${dollars} USD with ${other}`).join('')
      return { text: `${amount} USD per ${per} with ${field} ${value}${rest}`, per, usdBy: { field, usd } }
    }
  }
}
