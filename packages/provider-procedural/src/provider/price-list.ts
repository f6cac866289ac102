import type { ProviderTask } from '@genmount/core'

/** Prices in US dollars. */
export interface Prices {
  /** The price of each output image. @default 0 */
  readonly 'procedural-image'?: number | undefined
  /** The price of each second of the requested duration. @default 0 */
  readonly 'procedural-video'?: number | undefined
}

const models = ['procedural-image', 'procedural-video'] as const

/**
 * Checks the option `prices`.
 * @returns a function from a finished task to its cost in US dollars
 * @throws TypeError that names the option, when a price is wrong
 */
export function priceList(prices: Prices = {}): (task: ProviderTask) => number {
  for (const [model, price] of Object.entries(prices)) {
    if (!models.some((known) => known === model))
      throw new TypeError(`prices accepts ${models.join(' and ')}, not ${model}.`)
    if (!Number.isFinite(price) || price < 0)
      throw new TypeError(`prices['${model}'] must be a number of at least 0.`)
  }
  return ({ model, input }) => {
    const units = Number(input['num_outputs'] ?? input['duration'])
    const cost = (prices[model as keyof Prices] ?? 0) * units
    // Rounds to millionths of a dollar, because 3 * 0.1 is 0.30000000000000004.
    return Math.round(cost * 1e6) / 1e6
  }
}
