import { recordOf, type VendorAnswer, type VendorWords } from '@genmount/provider-kit'

/**
 * Reads an unsuccessful answer: `{ error, issues?: [{ path, message }], docUrl? }`. Runway answers 400 to an account
 * without credits. A 503 means that Runway is shedding load and that the request may be retried
 * (https://docs.dev.runwayml.com/api-details/errors, read in November 2026); a 503 without Runway's words may come from
 * a proxy.
 */
export function wordsIn({ status, json, message }: VendorAnswer): VendorWords {
  const { error, issues } = recordOf(json)
  const isOwn = typeof error === 'string' && error !== ''
  const hasNoCredit = status === 400 && isOwn && /not have enough credits/i.test(error)
  const faults = Array.isArray(issues) ? issues.flatMap(faultIn).slice(0, maxFaults) : []
  return {
    message: isOwn ? [error, ...faults].join('; ') : message,
    ...(hasNoCredit && { account: 'credit' as const }),
    ...(status === 503 && isOwn && { isBusy: true }),
  }
}

const maxFaults = 10

function faultIn(issue: unknown): string[] {
  const { path, message } = recordOf(issue)
  if (typeof message !== 'string') return []
  return [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message]
}
