import {
  failed,
  failureBy,
  recordOf,
  type ReportOf,
  type VendorAnswer,
  type VendorWords,
} from '@genmount/provider-kit'
import { reportedCost } from './xai-cost.ts'

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when xAI may have accepted the job nevertheless
 */
export function submitReport(answer: VendorAnswer, slug: string): ReportOf<'failed' | 'refused'> {
  return (
    moderationReport(answer) ??
    answer.submitFailure({ modelName: `xAI model ${slug}`, account: accountFaultIn(answer) })
  )
}

/**
 * Turns an unsuccessful answer to a poll into a report. xAI answers with 400 for films that it has refused or failed to
 * make, and at times for a film that it has just begun. So a 400 fails the job only when the answer gives a reason, or
 * when the 400 persists.
 * @throws Error when the answer says nothing about the film
 */
export function pollReport(answer: VendorAnswer): ReportOf<'failed' | 'refused' | 'unknown'> {
  const refusal = moderationReport(answer)
  if (refusal) return refusal
  const { message } = answer
  if (answer.status !== 400 || message === undefined || accountFaultIn(answer)) return answer.pollFailure()
  const costUsd = reportedCost(answer.json)
  return costUsd === undefined
    ? { state: 'unknown', message }
    : { ...failed('provider_failed', message, costUsd), status: answer.status }
}

/** xAI charges for outputs that it has made and then refused, and reports the cost. */
function moderationReport({ status, json, message }: VendorAnswer): ReportOf<'failed'> | undefined {
  const meaning = failureBy([recordOf(json)['code']], `${String(recordOf(json)['code'])} ${message}`)
  if (status < 400 || status >= 500 || meaning !== 'content_policy') return undefined
  return { ...failed('content_policy', message ?? 'xAI refuses it.', reportedCost(json)), status }
}

/** xAI answers with 400 to a wrong key, and with 403 or 429 when there is no credit: the words show which. */
function accountFaultIn({ status, message = '' }: VendorAnswer): VendorWords['account'] {
  if (status === 400 && /incorrect api key/i.test(message)) return 'credentials'
  const isAboutCredit = /available credits|spending limit|have any credits/i.test(message)
  return (status === 403 || status === 429) && isAboutCredit ? 'credit' : undefined
}
