import {
  failed,
  numberIn,
  recordOf,
  type ReportOf,
  type VendorAnswer,
  type VendorWords,
} from '@genmount/provider-kit'

/*
 * Kling's service codes, from its page "Error codes" (https://kling.ai/document-api/api/get-started/error-codes), as stored copies
 * of it have them (read on 2026-11-27: the page "General Information" of 2026-03, and the tests of a customer of 2026-10-02).
 */

/** The HTTP status that goes with each code, for an answer with another status, as gateways send them. */
const statuses: ReadonlyMap<number, number> = new Map([
  ...[1000, 1001, 1002, 1003, 1004].map((code) => [code, 401] as const),
  ...[1100, 1101, 1102, 1302, 1303, 1304].map((code) => [code, 429] as const),
  [1103, 403],
  ...[1200, 1201, 1300, 1301].map((code) => [code, 400] as const),
  ...[1202, 1203].map((code) => [code, 404] as const),
  [5000, 500],
  [5001, 503],
  [5002, 504],
])

/** Faults of the account to which Kling answers with status 429, although a later request gets the same answer. */
const accountFaults: ReadonlyMap<number | undefined, VendorWords['account']> = new Map([
  [1100, 'locked'],
  [1101, 'credit'],
  [1102, 'credit'],
  // The address of this service is not on the account's list of addresses.
  [1304, 'credentials'],
])

/** Refusals by the platform's rules and by the security of its content. */
const moderationCodes: readonly unknown[] = [1300, 1301]

/** The service code of an answer; 0 is a success. `undefined` when it has none. */
export function serviceCodeIn(json: unknown): number | undefined {
  return numberIn(recordOf(json)['code'])
}

/** The HTTP status that goes with a service code. A code that is not published says nothing, as a 500 does. */
export function statusOf(code: number): number {
  return statuses.get(code) ?? 500
}

/** Reads what an unsuccessful answer says: `{ code, message, request_id }`. */
export function wordsIn({ json, message }: VendorAnswer): VendorWords {
  const account = accountFaults.get(serviceCodeIn(json))
  return { message, ...(account && { account }) }
}

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when Kling may have accepted the task nevertheless
 */
export function submitReport(answer: VendorAnswer, modelName: string): ReportOf<'failed' | 'refused'> {
  const { status, json, message } = answer
  if (status < 500 && moderationCodes.includes(serviceCodeIn(json)))
    return { ...failed('content_policy', message ?? 'Kling refuses the content.'), status }
  return answer.submitFailure({ modelName })
}
