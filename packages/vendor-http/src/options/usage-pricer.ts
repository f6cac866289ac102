import { checkPrice, costOf, type JsonObject, type Price } from '@genmount/core'

/** US dollars for a million tokens of each kind, as vendors list their prices. */
export type TokenPrices<Kind extends string, Optional extends string = never> = Readonly<
  Record<Kind, number>
> &
  Readonly<Partial<Record<Optional, number>>>

/** A finished job that is to be paid for. */
export interface CountedJob<Kind extends string> {
  readonly input: JsonObject
  readonly outputs: number
  /** What the vendor has counted, if it says so. */
  readonly tokens: Readonly<Record<Kind, number>> | undefined
}

/**
 * What jobs of a model cost in US dollars, where tokens are billed: by prices of tokens, or by core's `Price` for each
 * output. `undefined` where there is no price, or nothing counted to apply it to.
 * @param optional kinds that may be left out of the prices, and whose price they have then
 * @throws TypeError that names the option when the price is none
 */
export function usagePricer<Kind extends string, Optional extends string = never>(
  name: string,
  price: TokenPrices<NoInfer<Kind>, NoInfer<Optional>> | Price | undefined,
  kinds: readonly Kind[],
  optional: Readonly<Record<Optional, NoInfer<Kind>>> = {} as Record<Optional, Kind>,
): (job: CountedJob<Kind | Optional>) => number | undefined {
  if (typeof price !== 'object' || price === null || 'by' in price) {
    const perOutput = checkPrice(name, price as Price | undefined)
    return ({ input, outputs }) => costOf(perOutput, { input, units: outputs })
  }
  const standIns = Object.entries<Kind>(optional)
  const prices: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(standIns.map(([kind, standIn]) => [kind, price[standIn]])),
    ...price,
  }
  const all = [...kinds, ...standIns.map(([kind]) => kind)]
  if (Object.keys(prices).length > all.length || !all.every((kind) => isAmount(prices[kind])))
    throw new TypeError(
      `${name} must give US dollars of at least 0 for a million tokens as ${all.join(', ')}.`,
    )
  const dollarsFor = (tokens: Readonly<Record<string, number>>) =>
    all.reduce((dollars, kind) => dollars + (tokens[kind] ?? 0) * Number(prices[kind]), 0) / 1e6
  return ({ input, outputs, tokens }) => tokens && costOf(() => dollarsFor(tokens), { input, units: outputs })
}

function isAmount(price: unknown): boolean {
  return typeof price === 'number' && Number.isFinite(price) && price >= 0
}
