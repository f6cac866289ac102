import { failed, type ReportOf, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'
import * as v from 'valibot'

/** google.rpc.ErrorInfo has a `reason`. google.rpc.RetryInfo has a `retryDelay` such as "22s". */
const detail = v.object({ reason: v.optional(v.string()), retryDelay: v.optional(v.string(), '') })

const errorAnswer = v.object({
  error: v.object({
    status: v.fallback(v.optional(v.string()), undefined),
    message: v.fallback(v.optional(v.string()), undefined),
    details: v.fallback(v.array(v.fallback(detail, { retryDelay: '' })), []),
  }),
})

/**
 * How Google's messages describe a refused prompt. The code does not help, because every invalid argument has the same
 * code.
 */
const policyWords =
  /responsible ai|usage guidelines|safety (?:filter|setting|polic)|violat|\bblocked\b[^.]{0,200}\b(?:safety|polic)/i

/**
 * Messages of an overloaded model. Google has not run the task then (discuss.ai.google.dev/t/124640), and does not
 * charge for it (ai.google.dev/gemini-api/docs/billing, read in November 2026). Other messages with this status do not
 * show whether the task was accepted.
 */
const busyWords = /overloaded|high demand|capacity/i

/** Whether a message of Google means that a prompt or an output was refused for its content. */
export function isPolicyRefusal(message: string): boolean {
  return policyWords.test(message)
}

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @param vendorModel the model's name at Google
 * @throws Error when Google may have accepted the task all the same
 */
export function refusedSubmit(answer: VendorAnswer, vendorModel: string): ReportOf<'failed' | 'refused'> {
  const { message } = googleWords(answer)
  if (answer.status === 400 && message !== undefined && isPolicyRefusal(message))
    return failed('content_policy', message)
  return answer.submitFailure({ modelName: `Google model ${vendorModel}` })
}

/**
 * Reads the error in an answer. Some errors arrive in a list of one. Google does not promise a `Retry-After` header,
 * but names the pause in a google.rpc.RetryInfo among the details.
 */
export function googleWords({ status: answered, json }: VendorAnswer): VendorWords {
  const parsed = v.safeParse(errorAnswer, [json].flat()[0])
  const { message, status, details } = parsed.success ? parsed.output.error : { details: [] }
  const pauses = details.map(({ retryDelay }) => Number(/^(\d+(?:\.\d+)?)s$/.exec(retryDelay)?.[1] ?? 0))
  const isBadKey = details.some(({ reason }) => reason === 'API_KEY_INVALID')
  return {
    message,
    account: isBadKey ? ('credentials' as const) : undefined,
    isBusy: answered === 429 || (status === 'UNAVAILABLE' && busyWords.test(message ?? '')),
    retryAfterMs: Math.ceil(Math.max(0, ...pauses) * 1000) || undefined,
  }
}
