import { checkPrice, costOf, type JsonObject, type Price } from '@genmount/core'
import * as v from 'valibot'

/**
 * US dollars for a million tokens of each kind, as Google's price list has them.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 0.5, textOutput: 3, imageOutput: 60 }
 */
export interface GeminiTokenPrices {
  /** Of the prompt and its pictures. */
  readonly input: number
  /** Of text in the answer, and of thinking. */
  readonly textOutput: number
  readonly imageOutput: number
}

const count = v.nullish(v.number(), 0)

/** UsageMetadata of the API reference. */
export const usageMetadata = v.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  candidatesTokensDetails: v.nullish(v.array(v.object({ modality: v.string(), tokenCount: count }))),
})

export type UsageMetadata = v.InferOutput<typeof usageMetadata>

/** A finished job to be paid for. */
export interface PricedImages {
  readonly input: JsonObject
  readonly images: number
  readonly usage: UsageMetadata | undefined
}

const amount = v.pipe(v.number(), v.finite(), v.minValue(0))
const tokenPrices = v.strictObject({ input: amount, textOutput: amount, imageOutput: amount })

/**
 * What jobs of a model cost in US dollars; `undefined` where there is no price, or no usage to apply it to.
 * @throws TypeError that names the option when the price is none
 */
export function imagePricer(
  name: string,
  price: GeminiTokenPrices | Price | undefined,
): (priced: PricedImages) => number | undefined {
  if (typeof price !== 'object' || price === null || 'by' in price) {
    checkPrice(name, price)
    return ({ input, images }) => costOf(price, { input, units: images })
  }
  if (!v.is(tokenPrices, price)) {
    const fields = Object.keys(tokenPrices.entries).join(', ')
    throw new TypeError(`${name} must give US dollars of at least 0 for a million tokens as ${fields}.`)
  }
  return ({ input, images, usage }) =>
    usage && costOf(() => dollarsFor(price, usage), { input, units: images })
}

function dollarsFor(prices: GeminiTokenPrices, usage: UsageMetadata): number {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, candidatesTokensDetails } = usage
  // Without details every token of the answer is taken for one of its image.
  const imageTokens = candidatesTokensDetails
    ? candidatesTokensDetails.reduce(
        (sum, { modality, tokenCount }) => sum + (modality === 'IMAGE' ? tokenCount : 0),
        0,
      )
    : candidatesTokenCount
  const textTokens = candidatesTokenCount - imageTokens + thoughtsTokenCount
  const millionths =
    promptTokenCount * prices.input + imageTokens * prices.imageOutput + textTokens * prices.textOutput
  return millionths / 1e6
}
