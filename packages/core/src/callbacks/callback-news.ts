import type { Json } from '../contracts/json.ts'
import type { FinalReport, ProviderReport } from '../contracts/provider-report.ts'
import { checkReport } from '../outputs/check-report.ts'
import { jsonCopy } from '../text/json-copy.ts'

/** The longest report that is stored with a job, in characters of JSON. */
const longestReport = 65_536

/** What a callback says, as far as it can be stored. */
export interface StoredNews {
  /** `undefined` when the provider returns something that is not JSON. */
  readonly handle: Json | undefined
  /** Absent when the task has not ended, and when an output is bytes: the poll then brings the end. */
  readonly report?: FinalReport | undefined
}

/** @param read what `readCallback` has returned: a handle, or a handle and a report */
export function storedNews(read: unknown): StoredNews {
  if (typeof read !== 'object' || read === null || !('handle' in read && 'report' in read))
    return { handle: jsonCopy(read) }
  const report = checkReport(read.report)
  return {
    handle: jsonCopy(read.handle),
    report: typeof report === 'string' ? undefined : finalReport(report),
  }
}

function finalReport(report: ProviderReport): FinalReport | undefined {
  if (report.state !== 'succeeded' && report.state !== 'failed') return undefined
  if (report.state === 'succeeded' && report.outputs.some((output) => 'bytes' in output)) return undefined
  const { cause: _, ...stored } = { cause: undefined, ...report }
  return JSON.stringify(stored).length <= longestReport
    ? (jsonCopy(stored) as unknown as FinalReport)
    : undefined
}
