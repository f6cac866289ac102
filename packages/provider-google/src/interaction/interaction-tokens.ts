import { outputTokens } from '../answers/output-tokens.ts'
import { numberIn } from '@genmount/provider-kit'
import * as v from 'valibot'

/** The kinds of tokens that Google has prices for. */
export const tokenKinds = ['input', 'textOutput', 'videoOutput'] as const

const stated = v.pipe(v.unknown(), v.transform(numberIn), v.number())
const count = v.nullish(stated, 0)

/** `Usage` of the Interactions API. https://ai.google.dev/api/interactions-api */
export const interactionUsage = v.object({
  total_input_tokens: count,
  total_output_tokens: v.nullish(stated),
  total_thought_tokens: count,
  output_tokens_by_modality: v.nullish(v.array(v.object({ modality: v.nullish(v.string()), tokens: count }))),
})

/**
 * How many tokens of each kind an interaction was billed for.
 * @param films how many films it has made. If there is a film, and the answer does not say how many tokens are video,
 *   all output tokens count as video
 * @returns `undefined` when there is a film, and the answer counts no output tokens
 */
export function tokensOf(
  usage: v.InferOutput<typeof interactionUsage>,
  films: number,
): Readonly<Record<(typeof tokenKinds)[number], number>> | undefined {
  const { total_input_tokens: input, total_thought_tokens: thoughts } = usage
  if (films > 0 && usage.total_output_tokens == null && !usage.output_tokens_by_modality) return undefined
  const output = usage.total_output_tokens ?? 0
  const byModality = usage.output_tokens_by_modality ?? undefined
  const untold = films > 0 ? output : 0
  const { media, text } = outputTokens({ output, thoughts, byModality }, 'video', untold)
  return { input, textOutput: text, videoOutput: media }
}
