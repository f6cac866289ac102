import type { ProviderReport } from '@genmount/core'
import { failed, imageOutputs, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { type ImageTokens, imageTokensOf, imageUsage } from '../gpt-image/image-tokens.ts'

/** `ImagesResponse` in OpenAI's API reference. A usage with a wrong form has a fallback, so that the images are kept. */
const imagesAnswer = v.object({
  data: v.array(v.unknown()),
  usage: v.fallback(v.nullish(imageUsage), undefined),
})

/**
 * Turns a successful answer into a report. A successful answer without an image fails the job, because OpenAI charges
 * for it, and would charge for a second try too.
 */
export function imagesReport(
  { json }: VendorAnswer,
  costOf: (outputs: number, tokens: ImageTokens | undefined) => number | undefined,
): ProviderReport {
  const parsed = v.safeParse(imagesAnswer, json)
  const { data, usage } = parsed.success ? parsed.output : { data: [], usage: undefined }
  // GPT Image models send base64. A gateway in front of them may send a public URL instead.
  const outputs = imageOutputs(data)
  const costUsd = costOf(outputs.length, usage ? imageTokensOf(usage) : undefined)
  return outputs.length > 0
    ? { state: 'succeeded', outputs, costUsd }
    : failed('output_invalid', 'OpenAI has finished, but its answer has no image that can be read.', costUsd)
}
