import { checkPrice, costOf, type JsonObject, type ModelPrice, shownPrice } from '@genmount/core'

/** Prices in US dollars for a million tokens of each kind, as vendors list them. `Optional` kinds may be left out. */
export type TokenPrices<Kind extends string, Optional extends string = never> = Readonly<
  Record<Kind, number>
> &
  Readonly<Partial<Record<Optional, number>>>

/** A finished job, for which the vendor charges. */
export interface CountedJob<Kind extends string> {
  /** The input of the job. */
  readonly input: JsonObject
  /** How many outputs the job has. */
  readonly outputs: number
  /** How many tokens of each kind the vendor has counted; `undefined` when it does not report them. */
  readonly tokens: Readonly<Record<Kind, number>> | undefined
}

/** The price of a model whose vendor bills tokens. */
export interface UsagePrice<Kind extends string> {
  /**
   * What a job has cost, in US dollars. `undefined` when there is no price, or when the price is for tokens and the
   * vendor has not counted them.
   */
  costOf(job: CountedJob<Kind>): number | undefined
  /**
   * The price as clients see it; `undefined` when there is none.
   * @param per the unit of a price that is not for tokens, in the singular
   */
  modelPrice(per: string): ModelPrice | undefined
}

/**
 * Checks the price of a model whose vendor bills tokens.
 * @param name the option's name, for error messages
 * @param price prices for tokens, or a price for each output
 * @param kinds the kinds of tokens that must have a price
 * @param optional kinds that may be left out of the prices, each with the kind whose price applies instead.
 * @default none
 * @throws TypeError that names the option when the price is not valid
 */
export function usagePricer<Kind extends string, Optional extends string = never>(
  name: string,
  price: unknown,
  kinds: readonly Kind[],
  optional: Readonly<Record<Optional, NoInfer<Kind>>> = {} as Record<Optional, Kind>,
): UsagePrice<Kind | Optional> {
  if (typeof price !== 'object' || price === null || 'by' in price) {
    const perOutput = checkPrice(name, price)
    return {
      costOf: ({ input, outputs }) => costOf(perOutput, { input, units: outputs }),
      modelPrice: (per) => shownPrice(perOutput, per),
    }
  }
  const standIns = Object.entries<Kind>(optional)
  const prices: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(standIns.map(([kind, standIn]) => [kind, (price as TokenPrices<Kind>)[standIn]])),
    ...price,
  }
  const all = [...kinds, ...standIns.map(([kind]) => kind)]
  if (Object.keys(prices).length > all.length || !all.every((kind) => isAmount(prices[kind])))
    throw new TypeError(
      `${name} must have a price of at least 0 US dollars per million tokens for each of ${all.join(', ')}.`,
    )
  const dollarsFor = (tokens: Readonly<Record<string, number>>) =>
    all.reduce((dollars, kind) => dollars + (tokens[kind] ?? 0) * Number(prices[kind]), 0) / 1e6
  const amounts = Object.entries(price).map(([kind, usd]) => `${usd} USD for ${kind}`)
  return {
    costOf: ({ input, outputs, tokens }) =>
      tokens && costOf(() => dollarsFor(tokens), { input, units: outputs }),
    modelPrice: () => ({ text: `per million tokens: ${amounts.join(', ')}` }),
  }
}

function isAmount(price: unknown): boolean {
  return typeof price === 'number' && Number.isFinite(price) && price >= 0
}
