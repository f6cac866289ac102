import type { ProviderReport } from '@genmount/core'
import { pollFailure, submitFailure, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { failed } from './google-api.ts'

/** ErrorInfo has a `reason`, RetryInfo a `retryDelay` such as "22s". */
const detail = v.object({ reason: v.optional(v.string()), retryDelay: v.optional(v.string(), '') })

const errorAnswer = v.object({
  error: v.object({
    message: v.fallback(v.optional(v.string()), undefined),
    details: v.fallback(v.array(v.fallback(detail, { retryDelay: '' })), []),
  }),
})

/** Google's words for a refused prompt. There is no code for it: it comes as an invalid argument. */
const policyWords = /responsible ai|usage guidelines|safety (?:filter|setting|polic)|violat/i

export function isPolicyRefusal(message: string): boolean {
  return policyWords.test(message)
}

/**
 * What an answer to a submit means that is not a success.
 * @throws Error when the task may have been taken on all the same
 */
export function refusedSubmit(answer: VendorAnswer): ProviderReport {
  const { message, details } = errorOf(answer)
  if (answer.status === 400 && message !== undefined && isPolicyRefusal(message))
    return failed('content_policy', message)
  const isBadKey = details.some(({ reason }) => reason === 'API_KEY_INVALID')
  return withRetryDelay(submitFailure(isBadKey ? { ...answer, status: 401 } : answer, message), answer)
}

/**
 * What an answer to a poll means that is not a success.
 * @throws Error when it is no news about the task
 */
export function refusedPoll(answer: VendorAnswer): ProviderReport {
  return withRetryDelay(pollFailure(answer, errorOf(answer).message), answer)
}

/** No Retry-After is promised; google.rpc.RetryInfo in the details has the pause instead. */
function withRetryDelay(report: ProviderReport, answer: VendorAnswer): ProviderReport {
  if (report.state !== 'refused' || report.retryAfterMs !== undefined) return report
  const seconds = errorOf(answer).details.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(retryDelay)?.[1])
  const longestMs = Math.max(0, ...seconds.map((text) => Math.ceil(Number(text ?? 0) * 1000)))
  return { ...report, retryAfterMs: longestMs }
}

/** Some errors come in a list of one. */
function errorOf({ json }: VendorAnswer): v.InferOutput<typeof errorAnswer>['error'] {
  const parsed = v.safeParse(errorAnswer, [json].flat()[0])
  return parsed.success ? parsed.output.error : { message: undefined, details: [] }
}
