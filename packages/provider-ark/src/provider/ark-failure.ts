import type { ProviderFailure } from '@genmount/core'
import { failed, recordOf, type ReportOf, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when ModelArk may have accepted the job nevertheless
 */
export function submitReport(answer: VendorAnswer, slug: string): ReportOf<'failed' | 'refused'> {
  const { status, json, message } = answer
  const code = recordOf(recordOf(json)['error'])['code']
  if (status >= 400 && status < 500 && isModeration(code))
    return { ...failed('content_policy', message ?? String(code)), status }
  return answer.submitFailure({
    modelName: `ModelArk model ${slug}`,
    account: accountFaults.get(String(code)),
    isAbsent: code === 'InvalidEndpoint.ClosedEndpoint' || undefined,
  })
}

/** What a code in the `error` of a task or of an image means. */
export function failureOf(code: string): ProviderFailure | undefined {
  return isModeration(code) ? 'content_policy' : undefined
}

/** `InputTextSensitiveContentDetected`, `OutputVideoSensitiveContentDetected.PolicyViolation`, `InputImageRiskDetection` … */
function isModeration(code: unknown): boolean {
  return /SensitiveContent|RiskDetection/.test(String(code))
}

/** https://www.volcengine.com/docs/82379/1299023: the account owes money, or has used up what it may spend. */
const accountFaults: ReadonlyMap<string, VendorWords['account']> = new Map([
  ['AccountOverdueError', 'credit'],
  ['ServiceOverdue', 'credit'],
  ['QuotaExceeded', 'credit'],
  ['SetLimitExceeded', 'credit'],
])
