import type { JsonObject } from '../contracts/json.ts'
import type { ModelPrice } from '../contracts/provider.ts'

/** The units of prices that are counted by the outputs of a job. */
const outputUnits: readonly (string | undefined)[] = ['image', 'video', 'output']

/** Whether there are inputs for which {@link expectedUsd} knows what a job costs. */
export function isPriced(price: ModelPrice | undefined): boolean {
  const { per, usd, usdBy } = price ?? {}
  if (usd === 0) return true
  return (usd !== undefined || usdBy !== undefined) && (per === 'second' || outputUnits.includes(per))
}

/**
 * What a job is expected to cost, in US dollars, by the price that its model shows.
 * @param input the validated input. It counts as one second or one output at least
 * @returns `undefined` when the price can't be known before the job has finished
 */
export function expectedUsd(price: ModelPrice | undefined, input: JsonObject): number | undefined {
  const { per, usdBy: by } = price ?? {}
  const choice = String(by && input[by.field])
  const usd = price?.usd ?? (by && Object.hasOwn(by.usd, choice) ? by.usd[choice] : undefined)
  if (!usd) return usd
  if (per !== 'second' && !outputUnits.includes(per)) return undefined
  const units = unitsOf(per, input)
  return Number.isFinite(units) ? usd * units : undefined
}

/** The most seconds that one job counts, so that sums stay exact whatever an input says: about 30 years. */
const mostSeconds = 1e9

/**
 * How many seconds of output an input orders from a model with a price by the second, all outputs together.
 * @returns exact to a thousandth; `undefined` for other models, and when the input does not say how many
 */
export function orderedSeconds(price: ModelPrice | undefined, input: JsonObject): number | undefined {
  if (price?.per !== 'second') return undefined
  const seconds = unitsOf(price.per, input)
  return Number.isFinite(seconds) ? Math.round(Math.min(seconds, mostSeconds) * 1000) / 1000 : undefined
}

/** How many units of a price an input orders. `NaN` when it does not say how many. */
function unitsOf(per: string | undefined, input: JsonObject): number {
  const outputs = Math.ceil(numberOf(input['num_outputs'] ?? input['n'] ?? 1))
  const seconds = per === 'second' ? numberOf(input['duration']) : 1
  // A vendor may ignore a number that makes no sense, and no job is free because of one.
  return Math.max(1, outputs) * Math.max(1, seconds)
}

/** The number that a field of an input holds, also as text; `NaN` if it holds none. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN
}
