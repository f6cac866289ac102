import type { ProviderTask } from '@genmount/core'

/** US dollars: a picture costs its price for each output, a film for each second that was asked for. */
export interface Prices {
  /** @default 0 */
  readonly 'procedural-image'?: number | undefined
  /** @default 0 */
  readonly 'procedural-video'?: number | undefined
}

const models = ['procedural-image', 'procedural-video'] as const

/** @returns what a finished task costs @throws TypeError when a price is wrong */
export function priceList(prices: Prices = {}): (task: ProviderTask) => number {
  for (const [model, price] of Object.entries(prices)) {
    if (!models.some((known) => known === model))
      throw new TypeError(`prices knows ${models.join(' and ')}, not ${model}.`)
    if (!Number.isFinite(price) || price < 0)
      throw new TypeError(`prices['${model}'] must be a number of at least 0.`)
  }
  return ({ model, input }) => {
    const units = Number(input['num_outputs'] ?? input['duration'])
    const cost = (prices[model as keyof Prices] ?? 0) * units
    // A millionth of a dollar is fine enough, and rids 3 x 0.1 of its tail.
    return Math.round(cost * 1e6) / 1e6
  }
}
