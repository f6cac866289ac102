import { costOf, type JsonObject } from '@genmount/core'
import { recordOf } from '@genmount/vendor-http'
import type { OfferedModel } from './xai-options.ts'

/** https://docs.x.ai/developers/cost-tracking: one US dollar is 10,000,000,000 ticks. */
const ticksPerUsd = 1e10

/** What xAI says that it charges for this, in US dollars; `undefined` when it does not say. */
export function reportedCost(json: unknown): number | undefined {
  const { cost_in_usd_ticks: ticks } = recordOf(recordOf(json)['usage'])
  return typeof ticks === 'number' ? costOf(1 / ticksPerUsd, { input: {}, units: ticks }) : undefined
}

/**
 * What a job has cost, in US dollars: what xAI says, else by the model's `price`.
 * @param units images, or seconds of film
 */
export function jobCost(
  json: unknown,
  { price }: Pick<OfferedModel, 'price'>,
  input: JsonObject,
  units: number,
): number | undefined {
  return reportedCost(json) ?? costOf(price, { input, units })
}
