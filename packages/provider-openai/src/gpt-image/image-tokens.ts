import { numberIn } from '@genmount/provider-kit'
import * as v from 'valibot'

const count = v.pipe(v.unknown(), v.transform(numberIn), v.number())

/** `ImageGenUsage` in OpenAI's API reference. */
export const imageUsage = v.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: v.nullish(v.object({ image_tokens: v.nullish(count, 0) })),
  output_tokens_details: v.nullish(v.object({ text_tokens: v.nullish(count, 0) })),
})

/** How many tokens of each kind were billed for images. */
export type ImageTokens = Readonly<Record<'textInput' | 'imageInput' | 'imageOutput' | 'textOutput', number>>

/** When the usage does not show which of its output tokens are text, all of them count as image tokens. */
export function imageTokensOf(usage: v.InferOutput<typeof imageUsage>): ImageTokens {
  const imageInput = usage.input_tokens_details?.image_tokens ?? 0
  const textOutput = usage.output_tokens_details?.text_tokens ?? 0
  return {
    textInput: usage.input_tokens - imageInput,
    imageInput,
    imageOutput: usage.output_tokens - textOutput,
    textOutput,
  }
}
