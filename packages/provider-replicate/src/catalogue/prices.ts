import type { Json, JsonObject, PricedTask } from '@genmount/core'

type Rates = Readonly<Record<string, number>>

/** An amount for each output, by a field of the job. `usual` is the model's choice for a job without that field. */
export function byChoice(field: string, usual: Json, usd: Rates) {
  return ({ input, units }: PricedTask): number => units * rateOf(input, field, usual, usd)
}

/**
 * An amount for each second of film, by a field of the job.
 * @param seconds the length of a film whose job has no duration
 */
export function bySecond(seconds: number, field: string, usual: Json, usd: Rates) {
  return ({ input, units }: PricedTask): number =>
    units * Math.max(1, Number(input['duration'] ?? seconds)) * rateOf(input, field, usual, usd)
}

function rateOf(input: JsonObject, field: string, usual: Json, usd: Rates): number {
  return usd[String(input[field] ?? usual)] ?? Number.NaN
}
