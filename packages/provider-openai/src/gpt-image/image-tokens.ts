import type { TaskTokens } from '@genmount/core'
import { numberIn, partWith } from '@genmount/provider-kit'
import * as v from 'valibot'

const count = v.pipe(v.unknown(), v.transform(numberIn), v.number())

/** `ImageGenUsage` in OpenAI's API reference. */
export const imageUsage = v.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: v.nullish(v.object({ image_tokens: v.nullish(count, 0) })),
  output_tokens_details: v.nullish(v.object({ text_tokens: v.nullish(count, 0) })),
})

/** The usage of an answer of the images API. `undefined` when it has none. */
export function imageUsageIn(answer: unknown): v.InferOutput<typeof imageUsage> | undefined {
  const usage = v.safeParse(imageUsage, partWith('usage', answer)['usage'])
  return usage.success ? usage.output : undefined
}

/** The tokens of a usage, as a report has them. */
export function taskTokensOf(usage: v.InferOutput<typeof imageUsage> | undefined): TaskTokens | undefined {
  return (
    usage && {
      input: usage.input_tokens,
      imageInput: usage.input_tokens_details?.image_tokens,
      output: usage.output_tokens,
      textOutput: usage.output_tokens_details?.text_tokens,
    }
  )
}

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
