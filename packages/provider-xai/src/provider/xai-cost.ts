import { costOf, type JsonObject } from '@genmount/core'
import { numberIn, recordOf } from '@genmount/provider-kit'
import type { OfferedModel } from './xai-options.ts'

/** https://docs.x.ai/developers/cost-tracking: one US dollar is 10,000,000,000 ticks. */
const ticksPerUsd = 1e10

/** The cost that xAI reports, in US dollars; `undefined` when xAI reports none. */
export function reportedCost(json: unknown): number | undefined {
  const ticks = numberIn(recordOf(recordOf(json)['usage'])['cost_in_usd_ticks'])
  return costOf(1 / ticksPerUsd, { input: {}, units: ticks })
}

/**
 * What a job has cost, in US dollars: the cost that xAI reports, or else the cost by the model's `price`.
 * @param units the number of images, or of seconds of film; `undefined` when xAI does not say
 */
export function jobCost(
  json: unknown,
  { price }: Partial<Pick<OfferedModel, 'price'>>,
  input: JsonObject,
  units: number | undefined,
): number | undefined {
  return reportedCost(json) ?? costOf(price, { input, units })
}
