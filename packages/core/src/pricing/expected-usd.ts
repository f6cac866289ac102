import type { JsonObject } from '../contracts/json.ts'
import type { Model, ModelPrice } from '../contracts/provider.ts'

/** The units of prices that are counted by the outputs of a job. */
const outputUnits: readonly (string | undefined)[] = ['image', 'video', 'output']

/** Whether there may be inputs for which {@link priceOf} knows what a job of the model costs. */
export function isPriced(model: Pick<Model, 'expectedUsd' | 'price'> | undefined): boolean {
  const { per, usd, usdBy, usdOf } = model?.price ?? {}
  if (usd === 0 || usdOf || model?.expectedUsd) return true
  return (usd !== undefined || usdBy !== undefined) && (per === 'second' || outputUnits.includes(per))
}

/** What a job of the model is expected to cost, in US dollars. @returns `undefined` when that can't be known beforehand */
export function priceOf(
  model: Model | undefined,
  input: JsonObject,
): number | undefined | Promise<number | undefined> {
  return model?.expectedUsd ? model.expectedUsd(input) : expectedUsd(model?.price, input)
}

/**
 * What a job is expected to cost, in US dollars, by the price that its model shows.
 * @param input the validated input. It counts as one second or one output at least
 * @returns `undefined` when the price can't be known before the job has finished
 */
export function expectedUsd(price: ModelPrice | undefined, input: JsonObject): number | undefined {
  const { per = '', usdBy: by, usdOf } = price ?? {}
  if (usdOf) return usdOf(input)
  const choice = String(by && input[by.field])
  const usd = price?.usd ?? (by && Object.hasOwn(by.usd, choice) ? by.usd[choice] : undefined)
  if (!usd) return usd
  const units = expectedUnits(per, input)
  return units === undefined ? undefined : usd * units
}

/** How many units of a price a job is expected to have. @returns `undefined` when that can't be known beforehand */
export function expectedUnits(per: string, input: JsonObject): number | undefined {
  if (per !== 'second' && !outputUnits.includes(per)) return undefined
  const units = unitsOf(per, input)
  return Number.isFinite(units) ? units : undefined
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
