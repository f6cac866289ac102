import type { ProviderReport } from '@genmount/core'
import { failed, type FailedReport } from '@genmount/vendor-http'

/**
 * The report on a task of which the model ignores a part.
 * @param ignored what it ignores, in words
 */
export function ignoredReport(ignored: string, costUsd: number | undefined): FailedReport {
  return failed('provider_rejected', `The model does not do all that was asked for: ${ignored}`, costUsd)
}

/** Refuses a success of which a part was ignored. @param ignored what was ignored, if that is to be refused */
export function withoutIgnored(report: ProviderReport, ignored: string | undefined): ProviderReport {
  return ignored === undefined || report.state !== 'succeeded'
    ? report
    : ignoredReport(ignored, report.costUsd)
}
