import { accepts, checkOptions, optional, type OptionTable, type ProviderTask } from '@genmount/core'

/** Prices in US dollars. */
export interface Prices {
  /** The price of each output image. @default 0 */
  readonly 'procedural-image'?: number | undefined
  /** The price of each second of the requested duration. @default 0 */
  readonly 'procedural-video'?: number | undefined
}

const amount = optional(
  accepts<number>('a number of at least 0', (price) => Number.isFinite(price) && Number(price) >= 0),
  0,
)
const table = { 'procedural-image': amount, 'procedural-video': amount } satisfies OptionTable<Prices>

/**
 * Checks the option `prices`.
 * @returns a function from a finished task to its cost in US dollars
 * @throws TypeError that names the option, when a price is wrong
 */
export function priceList(name: string, priceOptions: unknown): (task: ProviderTask) => number {
  const prices = checkOptions(name, priceOptions, table)
  return ({ model, input }) => {
    const units = Number(input['num_outputs'] ?? input['duration'])
    const cost = prices[model as keyof Prices] * units
    // Rounds to millionths of a dollar, because 3 * 0.1 is 0.30000000000000004.
    return Math.round(cost * 1e6) / 1e6
  }
}
