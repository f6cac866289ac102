import type { Output, ProviderReport } from '@genmount/core'
import { failed, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { bytesIn } from '../gpt-image/bytes-in.ts'
import { type ImageTokens, imageTokensOf, imageUsage } from '../gpt-image/image-tokens.ts'

const madeImage = v.object({ b64_json: v.nullish(v.string()), url: v.nullish(v.string()) })

/**
 * `ImagesResponse` in OpenAI's API reference. Parts with a wrong form have fallbacks, so that the images beside them
 * are kept.
 */
const imagesAnswer = v.object({
  data: v.array(v.fallback(madeImage, {})),
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
  const outputs = data.map(outputOf).filter((output) => output !== undefined)
  const costUsd = costOf(outputs.length, usage ? imageTokensOf(usage) : undefined)
  return outputs.length > 0
    ? { state: 'succeeded', outputs, costUsd }
    : failed('output_invalid', 'OpenAI has finished, but its answer has no image that can be read.', costUsd)
}

/** GPT Image models send base64. A gateway in front of them may send a public URL instead. */
function outputOf({ b64_json, url }: v.InferOutput<typeof madeImage>): Output | undefined {
  if (b64_json) return bytesIn(b64_json)
  return url && /^https:/i.test(url) && URL.canParse(url) ? { url } : undefined
}
