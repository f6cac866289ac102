import type { ProviderReport } from '@genmount/core'
import type { VendorAnswer } from '@genmount/provider-kit'
import { modelFailure, typesIn } from './request-failure.ts'

/**
 * fal's error types for requests that reached no runner: "No runner could be allocated to handle the request", "The
 * runner refused the connection". https://fal.ai/docs/documentation/model-apis/request-errors (read in November 2026)
 */
const busyTypes = ['runner_scheduling_failure', 'runner_connection_refused']

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when fal may have accepted the request
 */
export function submitRefusal(answer: VendorAnswer, endpoint: string): ProviderReport {
  const { status, message = '' } = answer
  if (status === 422) return modelFailure(answer)
  const isBusy =
    status === 429 || (status === 503 && typesIn(answer).some((type) => busyTypes.includes(type)))
  // fal answers with 403 to an account without credit too: fal-ai/fal#1147, #1163 and #1168.
  const lock = /exhausted balance|top.?up/i.test(message) ? 'credit' : 'locked'
  const account = status === 403 && /is locked/i.test(message) ? lock : undefined
  return answer.submitFailure({ modelName: `fal endpoint ${endpoint}`, isBusy, account })
}
