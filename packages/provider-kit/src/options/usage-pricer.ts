import { checkPrice, costOf, type JsonObject, type ModelPrice, type Price, shownPrice } from '@genmount/core'

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

/**
 * Makes the function that prices the jobs of a model whose vendor bills tokens.
 * @param name the option's name, for error messages
 * @param price prices for tokens, or a price for each output
 * @param kinds the kinds of tokens that must have a price
 * @param optional kinds that may be left out of the prices, each with the kind whose price applies instead.
 * @default none
 * @returns a function from a job to its cost in US dollars; `undefined` when there is no price, or when the price is
 *   for tokens and the vendor has not counted them
 * @throws TypeError that names the option when the price is not valid
 */
export function usagePricer<Kind extends string, Optional extends string = never>(
  name: string,
  price: unknown,
  kinds: readonly Kind[],
  optional: Readonly<Record<Optional, NoInfer<Kind>>> = {} as Record<Optional, Kind>,
): (job: CountedJob<Kind | Optional>) => number | undefined {
  if (typeof price !== 'object' || price === null || 'by' in price) {
    const perOutput = checkPrice(name, price)
    return ({ input, outputs }) => costOf(perOutput, { input, units: outputs })
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
  return ({ input, outputs, tokens }) => tokens && costOf(() => dollarsFor(tokens), { input, units: outputs })
}

/**
 * A price that `usagePricer` accepts, as clients see it.
 * @param per the unit of a price that is not for tokens, in the singular
 * @returns `undefined` when there is no price
 */
export function shownUsagePrice(price: unknown, per: string): ModelPrice | undefined {
  if (typeof price !== 'object' || price === null || 'by' in price) return shownPrice(price as Price, per)
  const amounts = Object.entries(price).map(([kind, usd]) => `${usd} USD for ${kind}`)
  return { text: `per million tokens: ${amounts.join(', ')}` }
}

function isAmount(price: unknown): boolean {
  return typeof price === 'number' && Number.isFinite(price) && price >= 0
}
