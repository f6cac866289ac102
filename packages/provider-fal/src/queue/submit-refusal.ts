import {
  type AccountFault,
  type FailedReport,
  messageOf,
  type RefusedReport,
  submitFailure,
  type VendorAnswer,
} from '@genmount/vendor-http'
import { modelFailure, typesIn } from './request-failure.ts'

/**
 * fal's error types of requests that no runner has got: "No runner could be allocated to handle the request", "The
 * runner refused the connection". https://fal.ai/docs/documentation/model-apis/request-errors (read in November 2026)
 */
const busyTypes = new Set(['runner_scheduling_failure', 'runner_connection_refused'])

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when fal may have taken the request on
 */
export function submitRefusal(answer: VendorAnswer, endpoint: string): FailedReport | RefusedReport {
  const { status } = answer
  if (status === 422) return modelFailure(answer)
  const hasNoRunner = status === 503 && typesIn(answer).some((type) => busyTypes.has(type))
  return submitFailure(answer, {
    asked: `fal endpoint ${endpoint}`,
    isBusy: status === 429 || hasNoRunner,
    account: status === 403 ? accountFaultIn(messageOf(answer.json) ?? '') : undefined,
  })
}

/** fal answers with 403 to an account without credit too: fal-ai/fal#1147, #1163 and #1168. */
function accountFaultIn(message: string): AccountFault | undefined {
  if (!/is locked/i.test(message)) return undefined
  return /exhausted balance|top.?up/i.test(message) ? 'credit' : 'locked'
}
