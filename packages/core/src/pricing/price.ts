import type { JsonObject } from '../contracts/json.ts'

/** What is known of a task that is to be paid for. */
export interface PricedTask {
  readonly input: JsonObject
  /** How many of its units the vendor counts: seconds, outputs, tokens in millions; each provider says which. */
  readonly units: number
}

/**
 * What a model costs in US dollars: for each unit; for each unit by the value of an input field; or calculated.
 * @example 0.04
 * @example { by: 'resolution', usd: { '720p': 0.1, '1080p': 0.25 } }
 * @example ({ input, units }) => units * (input.audio ? 0.4 : 0.2)
 */
export type Price =
  | number
  | { readonly by: string; readonly usd: Readonly<Record<string, number>> }
  | ((task: PricedTask) => number)

/** Whether it is a finite number of at least 0, as amounts of money and durations are. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/**
 * Throws a TypeError that names the option unless it is a price, or none.
 * @returns the price
 */
export function checkPrice(name: string, price: Price | undefined): Price | undefined {
  const isTable =
    typeof price === 'object' &&
    price !== null &&
    typeof price.by === 'string' &&
    Object.values(price.usd ?? {}).length > 0 &&
    Object.values(price.usd).every(isAmount)
  if (price === undefined || typeof price === 'function' || isAmount(price) || isTable) return price
  throw new TypeError(`${name} must be US dollars of at least 0, a table { by, usd } of them, or a function.`)
}

/**
 * The cost of a task in US dollars, to a millionth; `undefined` when there is no price, or it gives no amount for this
 * task: a fault of a price list must not cost a job that is paid for.
 */
export function costOf(price: Price | undefined, task: PricedTask): number | undefined {
  const amount = amountOf(price, task)
  return isAmount(amount) ? Math.round(amount * 1e6) / 1e6 : undefined
}

function amountOf(price: Price | undefined, task: PricedTask): number {
  if (price === undefined) return Number.NaN
  if (typeof price === 'number') return price * task.units
  if (typeof price === 'object') return (price.usd[String(task.input[price.by])] ?? Number.NaN) * task.units
  try {
    return price(task)
  } catch {
    return Number.NaN
  }
}
