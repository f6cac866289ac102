import { Buffer } from 'node:buffer'
import type { ProviderReport } from '@genmount/core'
import { messageOf, submitFailure, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { type TokenUsage, tokenUsage } from './image-price.ts'

/** ImagesResponse of the API reference. What is not as it should be must not take the images that are there with it. */
const imagesAnswer = v.object({
  data: v.array(v.fallback(v.object({ b64_json: v.string() }), { b64_json: '' })),
  usage: v.fallback(v.nullish(tokenUsage), undefined),
})

const errorAnswer = v.object({ error: v.object({ code: v.string() }) })

const policyCodes = new Set([
  'moderation_blocked',
  'content_policy_violation',
  'image_content_policy_violation',
])
const fetchCodes = new Set(['failed_to_download_image', 'invalid_image_url'])
const creditCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/** What a success brings. A success without an image is paid for all the same, and asking again would be paid for twice. */
export function imagesReport(
  { json }: VendorAnswer,
  costOf: (images: number, usage: TokenUsage | undefined) => number | undefined,
): ProviderReport {
  const parsed = v.safeParse(imagesAnswer, json)
  const { data, usage } = parsed.success ? parsed.output : { data: [], usage: undefined }
  const outputs = data
    .map(({ b64_json }) => ({ bytes: Buffer.from(b64_json, 'base64') }))
    .filter(({ bytes }) => bytes.byteLength > 0)
  const costUsd = costOf(outputs.length, usage ?? undefined)
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  const message = 'OpenAI has finished, but there is no image in its answer.'
  return { state: 'failed', code: 'output_invalid', message, costUsd }
}

/**
 * What an answer means that is not a success: the error's code tells more than the status.
 * @throws Error when it does not tell whether an image was made
 */
export function failureReport(answer: VendorAnswer): ProviderReport {
  const parsed = v.safeParse(errorAnswer, answer.json)
  const code = parsed.success ? parsed.output.error.code : ''
  const message = messageOf(answer.json) ?? code
  if (policyCodes.has(code)) return { state: 'failed', code: 'content_policy', message }
  if (fetchCodes.has(code)) return { state: 'failed', code: 'input_fetch_failed', message }
  return submitFailure(creditCodes.has(code) ? { ...answer, status: 402 } : answer)
}
