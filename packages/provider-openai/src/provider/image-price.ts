import { checkPrice, costOf, type JsonObject, type Price } from '@genmount/core'
import * as v from 'valibot'

/**
 * US dollars for a million tokens of each kind, as OpenAI's price list has them.
 * @see https://platform.openai.com/docs/pricing
 * @example { textInput: 5, imageInput: 8, imageOutput: 30 }
 */
export interface TokenPrices {
  /** Of the prompt. */
  readonly textInput: number
  /** Of the pictures that are edited. */
  readonly imageInput: number
  readonly imageOutput: number
  /** Of the text that some models think in. @default `imageOutput` */
  readonly textOutput?: number | undefined
}

/** ImageGenUsage of the API reference. */
export const tokenUsage = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  input_tokens_details: v.nullish(v.object({ image_tokens: v.nullish(v.number(), 0) })),
  output_tokens_details: v.nullish(v.object({ text_tokens: v.nullish(v.number(), 0) })),
})

export type TokenUsage = v.InferOutput<typeof tokenUsage>

/** A finished job to be paid for. */
export interface PricedImages {
  readonly input: JsonObject
  readonly images: number
  /** What OpenAI has counted, if it says so. */
  readonly usage: TokenUsage | undefined
}

const amount = v.pipe(v.number(), v.finite(), v.minValue(0))
const tokenPrices = v.strictObject({
  textInput: amount,
  imageInput: amount,
  imageOutput: amount,
  textOutput: v.optional(amount),
})

/**
 * What jobs of a model cost in US dollars; `undefined` where there is no price, or no usage to apply it to.
 * @throws TypeError that names the option when the price is none
 */
export function imagePricer(
  name: string,
  price: TokenPrices | Price | undefined,
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

function dollarsFor(prices: TokenPrices, usage: TokenUsage): number {
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = usage
  const { textInput, imageInput, imageOutput, textOutput = imageOutput } = prices
  const imageTokens = input_tokens_details?.image_tokens ?? 0
  const textTokens = output_tokens_details?.text_tokens ?? 0
  const millionths =
    (input_tokens - imageTokens) * textInput +
    imageTokens * imageInput +
    (output_tokens - textTokens) * imageOutput +
    textTokens * textOutput
  return millionths / 1e6
}
