import type { JsonObject } from '../contracts/json.ts'
import type { ModelPrice } from '../contracts/provider.ts'

/** The units of prices that are counted by the outputs of a job. */
const outputUnits: readonly (string | undefined)[] = ['image', 'video', 'output']

/**
 * What a job is expected to cost, in US dollars, by the price that its model shows.
 * @param input the validated input
 * @returns `undefined` when the price can't be known before the job has finished
 */
export function expectedUsd(price: ModelPrice | undefined, input: JsonObject): number | undefined {
  const { per, usdBy: by } = price ?? {}
  const usd = price?.usd ?? by?.usd[String(input[by.field])]
  if (!usd) return usd
  const isBySecond = per === 'second'
  if (!isBySecond && !outputUnits.includes(per)) return undefined
  const units = Number(isBySecond ? input['duration'] : (input['num_outputs'] ?? input['n'] ?? 1))
  return units >= 0 ? usd * units : undefined
}
