import type { TokenPrices } from '@genmount/vendor-http'
import * as v from 'valibot'

/**
 * US dollars for a million tokens of each kind, as Google's price list has them: of the prompt and its pictures, of text
 * in the answer and of thinking, and of images.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 0.5, textOutput: 3, imageOutput: 60 }
 */
export type GoogleTokenPrices = TokenPrices<(typeof tokenKinds)[number]>

export type GeminiTokens = Readonly<Record<(typeof tokenKinds)[number], number>>
export const tokenKinds = ['input', 'textOutput', 'imageOutput'] as const

const count = v.nullish(v.number(), 0)

/** UsageMetadata of the API reference. */
export const usageMetadata = v.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  candidatesTokensDetails: v.nullish(v.array(v.object({ modality: v.string(), tokenCount: count }))),
})

/** Without details every token of the answer is taken for one of its image. */
export function tokensOf(usage: v.InferOutput<typeof usageMetadata>): GeminiTokens {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, candidatesTokensDetails } = usage
  const imageTokens = candidatesTokensDetails?.map(({ modality, tokenCount }) =>
    modality === 'IMAGE' ? tokenCount : 0,
  )
  const imageOutput = imageTokens?.reduce((sum, tokens) => sum + tokens, 0) ?? candidatesTokenCount
  const textOutput = candidatesTokenCount - imageOutput + thoughtsTokenCount
  return { input: promptTokenCount, textOutput, imageOutput }
}
