import type { ProviderFailure, ProviderReport } from '@genmount/core'
import { failed, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'
import * as v from 'valibot'

const errorAnswer = v.object({ error: v.object({ code: v.string() }) })

/** The codes of OpenAI's errors that are more specific than an invalid request. */
const failures: Readonly<Record<string, ProviderFailure>> = {
  moderation_blocked: 'content_policy',
  content_policy_violation: 'content_policy',
  image_content_policy_violation: 'content_policy',
  invalid_prompt: 'content_policy',
  bio_policy: 'content_policy',
  misalignment_policy_violation: 'content_policy',
  failed_to_download_image: 'input_fetch_failed',
  invalid_image_url: 'input_fetch_failed',
  image_file_not_found: 'input_fetch_failed',
}
const creditCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached'])
/**
 * "The requested model does not have enough capacity to process your request", and a request rate that rises too
 * quickly: https://developers.openai.com/api/docs/guides/error-codes (read in November 2026). Other 503 answers do not
 * say whether an image was made.
 */
const busyCodes = new Set(['server_is_overloaded', 'slow_down'])

/** Maps a code of OpenAI's errors to a failure; `undefined` for a code that is not specific. */
export function failureOf(code: string): ProviderFailure | undefined {
  return Object.hasOwn(failures, code) ? failures[code] : undefined
}

/**
 * Turns an unsuccessful answer to a submit into a report. The code in the error is more specific than the status.
 * @param modelName the requested model, such as `OpenAI model gpt-image-2`
 * @throws Error when the answer does not show whether the task was accepted
 */
export function failureReport(answer: VendorAnswer, modelName: string): ProviderReport {
  const parsed = v.safeParse(errorAnswer, answer.json)
  const code = parsed.success ? parsed.output.error.code : ''
  const message = answer.message ?? code
  const failure = failureOf(code)
  if (failure !== undefined) return failed(failure, message)
  return answer.submitFailure({
    modelName: modelName,
    isAbsent: code === 'model_not_found' || undefined,
    isBusy: answer.status === 429 || (answer.status === 503 && busyCodes.has(code)),
    account: accountFaultIn(answer.status, code, message),
  })
}

/** OpenAI has no code for an organisation that is not verified: openai-php/client#565. */
function accountFaultIn(status: number, code: string, message: string): VendorWords['account'] {
  if (creditCodes.has(code)) return 'credit'
  return status === 403 && /organization must be verified/i.test(message) ? 'unverified' : undefined
}
