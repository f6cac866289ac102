import type { TokenPrices } from '@genmount/vendor-http'
import * as v from 'valibot'

/**
 * Prices in US dollars for a million tokens of each kind, as in Google's price list. `input`: the prompt and its
 * pictures. `textOutput`: text in the answer, and thinking. `imageOutput`: images.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 0.5, textOutput: 3, imageOutput: 60 }
 */
export type GoogleTokenPrices = TokenPrices<'input' | 'textOutput' | 'imageOutput'>

export const tokenKinds = ['input', 'textOutput', 'imageOutput'] as const
/** How many tokens of each kind an answer was billed for. */
export type GeminiTokens = Readonly<Record<(typeof tokenKinds)[number], number>>

const count = v.nullish(v.number(), 0)

/** `UsageMetadata` in Google's API reference. */
export const usageMetadata = v.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  candidatesTokensDetails: v.nullish(v.array(v.object({ modality: v.string(), tokenCount: count }))),
})

/** When the answer does not say which of its tokens are text, all of them count as image tokens. */
export function tokensOf(usage: v.InferOutput<typeof usageMetadata>): GeminiTokens {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, candidatesTokensDetails } = usage
  const imageTokens = candidatesTokensDetails?.map(({ modality, tokenCount }) =>
    modality === 'IMAGE' ? tokenCount : 0,
  )
  const imageOutput = imageTokens?.reduce((sum, tokens) => sum + tokens, 0) ?? candidatesTokenCount
  const textOutput = candidatesTokenCount - imageOutput + thoughtsTokenCount
  return { input: promptTokenCount, textOutput, imageOutput }
}
