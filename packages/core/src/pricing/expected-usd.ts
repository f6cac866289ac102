import type { JsonObject } from '../contracts/json.ts'
import type { ModelPrice } from '../contracts/provider.ts'

/** The units of prices that are counted by the outputs of a job. */
const outputUnits: readonly (string | undefined)[] = ['image', 'video', 'output']

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
  const isBySecond = per === 'second'
  if (!isBySecond && !outputUnits.includes(per)) return undefined
  const units = isBySecond
    ? numberOf(input['duration'])
    : Math.ceil(numberOf(input['num_outputs'] ?? input['n'] ?? 1))
  // A vendor may ignore a number that makes no sense, and no job is free because of one.
  return Number.isFinite(units) ? usd * Math.max(1, units) : undefined
}

/** The number that a field of an input holds, also as text; `NaN` if it holds none. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN
}
