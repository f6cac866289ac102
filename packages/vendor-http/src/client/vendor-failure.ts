import type { ProviderReport } from '@genmount/core'
import { recordOf } from './record-of.ts'
import { retryAfterMs } from './retry-after.ts'
import type { VendorAnswer } from './vendor-client.ts'

export type FailedReport = Extract<ProviderReport, { state: 'failed' }>
export type RefusedReport = Extract<ProviderReport, { state: 'refused' }>
export type UnknownReport = Extract<ProviderReport, { state: 'unknown' }>

export function failed(code: FailedReport['code'], message: string, costUsd?: number): FailedReport {
  return { state: 'failed', code, message, costUsd }
}

/** The vendor does not know the task at this moment: the service asks again, and decides when it is lost. */
export function unknownNow(message: string): UnknownReport {
  return { state: 'unknown', message }
}

/** What an answer says elsewhere than most vendors do. */
export interface VendorWords {
  /** @default `messageOf(answer.json)` */
  readonly message?: string | undefined
  /** How long to wait where there is no `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/**
 * What an answer to a submit means that is not a success.
 * @throws Error when the task may have been taken on all the same: a timeout or a fault on the vendor's side
 */
export function submitFailure(answer: VendorAnswer, words: VendorWords = {}): FailedReport | RefusedReport {
  const { status } = answer
  const message = words.message ?? messageOf(answer.json)
  if (status === 429) return refused(answer, words)
  if (status === 401 || status === 403)
    return accountAtFault('The provider does not accept the credentials of this service.')
  if (status === 402) return accountAtFault('The account of this service at the provider has no credit left.')
  if (status >= 400 && status < 500 && status !== 408)
    return failed('provider_rejected', message ?? `The provider refused the task (${status}).`)
  throw noNews(answer, message)
}

/**
 * What an answer to a poll means that is not a success. A 404 may pass, after a deployment or at a replica that lags
 * behind; a 410 is the vendor's word that the task is gone for good (RFC 9110, section 15.5.11).
 * @throws Error when it is no news about the task
 */
export function pollFailure(
  answer: VendorAnswer,
  words: VendorWords = {},
): FailedReport | RefusedReport | UnknownReport {
  const { status } = answer
  if (status === 429) return refused(answer, words)
  if (status === 404) return unknownNow('The provider does not know the task any more.')
  if (status === 410) return failed('provider_lost', 'The provider says that the task is gone for good.')
  throw noNews(answer, words.message ?? messageOf(answer.json))
}

/** The words of an error, wherever vendors put them: `detail`, `error.message`, `error` or `message`. */
export function messageOf(json: unknown): string | undefined {
  const { detail, error, message, title } = recordOf(json)
  const words = [textIn(detail), recordOf(error)['message'], error, message, title]
  return words.find((word): word is string => typeof word === 'string' && word !== '')
}

/** FastAPI's `detail` is a text or a list of `{ loc, msg }`. */
function textIn(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail
  const faults = detail.map((item) => {
    const { loc, msg } = recordOf(item)
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
    return typeof msg === 'string' ? [place, msg].filter(Boolean).join(': ') : ''
  })
  return faults.filter(Boolean).join('; ')
}

function refused(answer: VendorAnswer, words: VendorWords): RefusedReport {
  const { message = messageOf(answer.json) ?? 'The provider is asked too often.' } = words
  return { state: 'refused', message, retryAfterMs: retryAfterMs(answer.headers) ?? words.retryAfterMs }
}

function accountAtFault(message: string): FailedReport {
  return { ...failed('provider_rejected', message), isAccountAtFault: true }
}

function noNews({ status }: VendorAnswer, message = 'no reason given'): Error {
  return new Error(`The provider answered with status ${status}: ${message}`)
}
