import type { TokenPrices } from '@genmount/vendor-http'
import * as v from 'valibot'

/**
 * Prices in US dollars for a million tokens of each kind, as in Google's price list. `input`: the prompt and its
 * pictures. `textOutput`: text in the answer, and thinking. `videoOutput`: the film with its sound.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 1.5, textOutput: 9, videoOutput: 17.5 }
 */
export type GoogleFilmTokenPrices = TokenPrices<'input' | 'textOutput' | 'videoOutput'>

export const filmTokenKinds = ['input', 'textOutput', 'videoOutput'] as const
/** How many tokens of each kind an interaction was billed for. */
export type FilmTokens = Readonly<Record<(typeof filmTokenKinds)[number], number>>

const count = v.nullish(v.number(), 0)

/** `Usage` of the Interactions API. https://ai.google.dev/api/interactions-api */
export const interactionUsage = v.object({
  total_input_tokens: count,
  total_output_tokens: count,
  total_thought_tokens: count,
  output_tokens_by_modality: v.nullish(v.array(v.object({ modality: v.nullish(v.string()), tokens: count }))),
})

/**
 * How many tokens of each kind an interaction was billed for.
 * @param films how many films it has made. If it has any, and does not say which of its tokens they are, all tokens of
 *   the answer count as theirs
 */
export function filmTokensOf(usage: v.InferOutput<typeof interactionUsage>, films: number): FilmTokens {
  const { total_input_tokens, total_output_tokens, total_thought_tokens, output_tokens_by_modality } = usage
  const videoTokens = output_tokens_by_modality?.map(({ modality, tokens }) =>
    modality?.toLowerCase() === 'video' ? tokens : 0,
  )
  const videoOutput =
    videoTokens?.reduce((sum, tokens) => sum + tokens, 0) ?? (films > 0 ? total_output_tokens : 0)
  const textOutput = Math.max(0, total_output_tokens - videoOutput) + total_thought_tokens
  return { input: total_input_tokens, textOutput, videoOutput }
}
