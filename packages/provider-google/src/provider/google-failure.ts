import type { ProviderReport } from '@genmount/core'
import { failed, pollFailure, submitFailure, type VendorAnswer } from '@genmount/vendor-http'
import * as v from 'valibot'

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
  const words = wordsOf(answer)
  if (answer.status === 400 && words.message !== undefined && isPolicyRefusal(words.message))
    return failed('content_policy', words.message)
  return submitFailure(words.isBadKey ? { ...answer, status: 401 } : answer, words)
}

/**
 * What an answer to a poll means that is not a success.
 * @throws Error when it is no news about the task
 */
export function refusedPoll(answer: VendorAnswer): ProviderReport {
  return pollFailure(answer, wordsOf(answer))
}

/** Some errors come in a list of one. No Retry-After is promised; google.rpc.RetryInfo in the details has the pause instead. */
function wordsOf({ json }: VendorAnswer) {
  const parsed = v.safeParse(errorAnswer, [json].flat()[0])
  const { message, details } = parsed.success ? parsed.output.error : { message: undefined, details: [] }
  const pauses = details.map(({ retryDelay }) => Number(/^(\d+(?:\.\d+)?)s$/.exec(retryDelay)?.[1] ?? 0))
  return {
    message,
    isBadKey: details.some(({ reason }) => reason === 'API_KEY_INVALID'),
    retryAfterMs: Math.ceil(Math.max(0, ...pauses) * 1000) || undefined,
  }
}
