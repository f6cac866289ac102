import { outputTokens } from '@genmount/google-http'
import { numberIn } from '@genmount/vendor-http'
import * as v from 'valibot'

/** The kinds of tokens that Google has prices for. */
export const tokenKinds = ['input', 'textOutput', 'videoOutput'] as const

const count = v.nullish(v.pipe(v.unknown(), v.transform(numberIn), v.number()), 0)

/** `Usage` of the Interactions API. https://ai.google.dev/api/interactions-api */
export const interactionUsage = v.object({
  total_input_tokens: count,
  total_output_tokens: count,
  total_thought_tokens: count,
  output_tokens_by_modality: v.nullish(v.array(v.object({ modality: v.nullish(v.string()), tokens: count }))),
})

/**
 * How many tokens of each kind an interaction was billed for.
 * @param films how many films it has made. If there is a film, and the answer does not say how many tokens are video,
 *   all output tokens count as video
 */
export function tokensOf(
  usage: v.InferOutput<typeof interactionUsage>,
  films: number,
): Readonly<Record<(typeof tokenKinds)[number], number>> {
  const { total_input_tokens: input, total_output_tokens: output, total_thought_tokens: thoughts } = usage
  const byModality = usage.output_tokens_by_modality ?? undefined
  const untold = films > 0 ? output : 0
  const { media, text } = outputTokens({ output, thoughts, byModality }, 'video', untold)
  return { input, textOutput: text, videoOutput: media }
}
