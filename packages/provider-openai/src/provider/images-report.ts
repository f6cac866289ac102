import type { ProviderReport } from '@genmount/core'
import { type AccountFault, failed, messageOf, submitFailure, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { type ImageSource, outputsOf } from './made-images.ts'

/** `ImageGenUsage` in OpenAI's API reference. */
const tokenUsage = v.object({
  input_tokens: v.number(),
  output_tokens: v.number(),
  input_tokens_details: v.nullish(v.object({ image_tokens: v.nullish(v.number(), 0) })),
  output_tokens_details: v.nullish(v.object({ text_tokens: v.nullish(v.number(), 0) })),
})

/**
 * `ImagesResponse` in OpenAI's API reference. Parts with a wrong form have fallbacks, so that the images beside them
 * are kept.
 */
const imagesAnswer = v.object({
  data: v.array(v.fallback(v.object({ b64_json: v.nullish(v.string()), url: v.nullish(v.string()) }), {})),
  usage: v.fallback(v.nullish(tokenUsage), undefined),
})

/** How many tokens of each kind an answer was billed for. */
export type ImageTokens = Readonly<Record<'textInput' | 'imageInput' | 'imageOutput' | 'textOutput', number>>

/**
 * Turns a successful answer into a report. A successful answer without an image fails the job, because OpenAI charges
 * for it, and would charge for a second try too.
 */
export async function imagesReport(
  { json }: VendorAnswer,
  source: ImageSource,
  costOf: (outputs: number, tokens: ImageTokens | undefined) => number | undefined,
): Promise<ProviderReport> {
  const parsed = v.safeParse(imagesAnswer, json)
  const { data, usage } = parsed.success ? parsed.output : { data: [], usage: undefined }
  const outputs = await outputsOf(data, source)
  const costUsd = costOf(outputs.length, usage ? tokensOf(usage) : undefined)
  return outputs.length > 0
    ? { state: 'succeeded', outputs, costUsd }
    : failed('output_invalid', 'OpenAI has finished, but its answer has no image that can be read.', costUsd)
}

/** When the answer does not say which of its output tokens are text, all of them count as image tokens. */
function tokensOf(usage: v.InferOutput<typeof tokenUsage>): ImageTokens {
  const imageInput = usage.input_tokens_details?.image_tokens ?? 0
  const textOutput = usage.output_tokens_details?.text_tokens ?? 0
  return {
    textInput: usage.input_tokens - imageInput,
    imageInput,
    imageOutput: usage.output_tokens - textOutput,
    textOutput,
  }
}

const errorAnswer = v.object({ error: v.object({ code: v.string() }) })

const policyCodes = new Set([
  'moderation_blocked',
  'content_policy_violation',
  'image_content_policy_violation',
])
const fetchCodes = new Set(['failed_to_download_image', 'invalid_image_url'])
const creditCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached'])
/**
 * "The requested model does not have enough capacity to process your request", and a request rate that rises too
 * quickly: https://developers.openai.com/api/docs/guides/error-codes (read in November 2026). Other 503 answers do not
 * say whether an image was made.
 */
const busyCodes = new Set(['server_is_overloaded', 'slow_down'])

/**
 * Turns an unsuccessful answer into a report. The code in the error says more than the status.
 * @throws Error when the answer does not say whether an image was made
 */
export function failureReport(answer: VendorAnswer, vendorModel: string): ProviderReport {
  const parsed = v.safeParse(errorAnswer, answer.json)
  const code = parsed.success ? parsed.output.error.code : ''
  const message = messageOf(answer.json) ?? code
  if (policyCodes.has(code)) return failed('content_policy', message)
  if (fetchCodes.has(code)) return failed('input_fetch_failed', message)
  return submitFailure(answer, {
    asked: `OpenAI model ${vendorModel}`,
    isAbsent: code === 'model_not_found' || undefined,
    isBusy: answer.status === 429 || (answer.status === 503 && busyCodes.has(code)),
    account: accountFaultIn(answer.status, code, message),
  })
}

/** OpenAI has no code for an organisation that is not verified: openai-php/client#565. */
function accountFaultIn(status: number, code: string, message: string): AccountFault | undefined {
  if (creditCodes.has(code)) return 'credit'
  return status === 403 && /organization must be verified/i.test(message) ? 'unverified' : undefined
}
