import type { ProviderReport } from '@genmount/core'
import { contentOf } from '../answers/content-of.ts'
import { vendorReason } from '../answers/vendor-reason.ts'
import { messageOf } from './message-of.ts'
import { retryAfterMs } from './retry-after-ms.ts'
import type { ReceivedAnswer } from './received-answer.ts'

/** The reports of one state, such as `ReportOf<'failed'>`. */
export type ReportOf<State extends ProviderReport['state']> = Extract<ProviderReport, Record<'state', State>>

/**
 * Reports that a task has failed for good.
 * @param message for the person who sent the job
 * @param costUsd what the vendor charges all the same, in US dollars. @default not known
 */
export function failed(
  code: ReportOf<'failed'>['code'],
  message: string,
  costUsd?: number,
): ReportOf<'failed'> {
  return { state: 'failed', code, message, costUsd }
}

/**
 * The details that a provider has read from a vendor's answer itself, because most vendors have their own form for
 * them.
 */
export interface VendorWords {
  /** The vendor's message. @default the `message` of the answer, or else the words anywhere in it */
  readonly message?: string | undefined
  /** How long to wait when the answer has no `Retry-After`, in milliseconds. @default not known */
  readonly retryAfterMs?: number | undefined
  /**
   * The name of the requested model, such as `Replicate model acme/painter`. When the vendor does not have this model,
   * the report names it, because the vendor's own words are often only "Not found".
   * @default the report has only the vendor's words
   */
  readonly modelName?: string | undefined
  /**
   * Whether the answer to a submit says that the vendor does not have the requested model, or no longer has it.
   * @default its status is 404 or 410
   */
  readonly isAbsent?: boolean | undefined
  /**
   * Whether the vendor says that it accepts no tasks at present, because it lacks capacity. Set it for a 503 only where
   * the vendor documents that it has not processed such a request.
   * @default the status is 429
   */
  readonly isBusy?: boolean | undefined
  /**
   * What is wrong with this service's account, if the status alone does not show it.
   * @default `credentials` for 401 and 403, `credit` for 402, otherwise nothing
   */
  readonly account?: AccountFault | undefined
}

/** What can be wrong with the account of this service at a vendor. */
export type AccountFault = 'credentials' | 'credit' | 'locked' | 'unverified'

/** In words for owners, without anything that the vendor says about the account. */
const accountFaults: Readonly<Record<AccountFault, string>> = {
  credentials: 'The provider does not accept the credentials of this service.',
  credit: 'The account of this service at the provider has no credit left.',
  locked: 'The provider has locked the account of this service.',
  unverified:
    'The organisation of this service has not been verified by the provider, which this model needs.',
}

const faultByStatus: ReadonlyMap<number, AccountFault> = new Map([
  [401, 'credentials'],
  [402, 'credit'],
  [403, 'credentials'],
])

/**
 * Turns an unsuccessful answer to a submit into a report. 429 is `refused`: the service submits again later. 401, 402
 * and 403 are failures of this service's account, and 404 and 410 say that the vendor does not have the model: the
 * service tries the other routes. Other 4xx statuses fail the task, as `content_policy` if the vendor's code or words
 * mean moderation. An answer of Cloudflare itself that it could not connect to the vendor (521, 523, 525) is `refused`.
 * Reports and errors have the status, and a failure of the account has the vendor's own words as its `cause`, which go
 * to the log.
 * @throws Error when the vendor may have accepted the task all the same: status 408, and 500 or higher
 */
export function submitFailure(
  answer: ReceivedAnswer,
  words: VendorWords = {},
): ReportOf<'failed' | 'refused'> {
  const { status } = answer
  const message = messageIn(answer, words)
  const { account = faultByStatus.get(status), isBusy = status === 429 } = words
  const { isAbsent = status === 404 || status === 410 } = words
  if (isUnconnected(answer))
    return refused(answer, { message: 'Cloudflare could not connect to the provider.' })
  if (account !== undefined) return accountAtFault(status, accountFaults[account], message)
  if (isBusy) return refused(answer, words)
  if (isAbsent) return accountAtFault(status, absence(status, message, words))
  if (status >= 400 && status < 500 && status !== 408)
    return { ...failed(meaningOf(answer), message ?? unexplained(status)), status }
  throw noNews(answer, message)
}

/**
 * Cloudflare's statuses when it had no connection to the vendor's server over which it could have sent the request: the
 * server refused the connection (521), there was no way to it (523), or the TLS handshake failed (525). It answers with
 * 522 before a connection or after it, and with 520 and 524 after it.
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const unconnectedStatuses: readonly number[] = [521, 523, 525]

/**
 * Whether Cloudflare itself says that the vendor has not got the request. A gateway that reports the same of a vendor
 * behind it has other words, and may have tried another vendor before.
 */
function isUnconnected({ status, headers, text }: ReceivedAnswer): boolean {
  const isOfCloudflare = headers.get('server') === 'cloudflare' && text.trim() === `error code: ${status}`
  return isOfCloudflare && unconnectedStatuses.includes(status)
}

/**
 * Turns an unsuccessful answer to a poll into a report. 429 is `refused`. 404 is `unknown`, because it may be
 * temporary: a deployment, or a replica that lags behind. 410 fails the task, because it says that the task is gone for
 * good (RFC 9110, section 15.5.11).
 * @throws Error when the answer says nothing about the task: all other statuses
 */
export function pollFailure(
  answer: ReceivedAnswer,
  words: VendorWords = {},
): ReportOf<'failed' | 'refused' | 'unknown'> {
  const { status } = answer
  if (status === 429) return refused(answer, words)
  if (status === 404) return { state: 'unknown', message: 'The provider does not know the task any more.' }
  if (status === 410)
    return { ...failed('provider_lost', 'The provider says that the task is gone for good.'), status }
  throw noNews(answer, messageIn(answer, words))
}

/**
 * The vendor's words, wherever in an unsuccessful answer they are.
 * @param words what the provider has read from the answer itself. @default nothing
 * @returns `undefined` when there are none
 */
function messageIn(answer: ReceivedAnswer, { message }: VendorWords = {}): string | undefined {
  return message ?? messageOf(answer.json) ?? (vendorReason(contentOf(answer))?.message || undefined)
}

/** Words about a parameter, which may be the one that sets the vendor's moderation. */
const aboutParameter =
  /\b(?:parameters?|arguments?|fields?|propert(?:y|ies)|must be|supported values|unsupported|unrecogni[sz]ed|extra inputs)\b/i

/** What the refusal of a request means: moderation, by the vendor's code or words, or else a fault of the request. */
function meaningOf(answer: ReceivedAnswer): ReportOf<'failed'>['code'] {
  const { code, message = '' } = vendorReason(contentOf(answer)) ?? {}
  return code === 'content_policy' && !aboutParameter.test(message) ? 'content_policy' : 'provider_rejected'
}

function absence(status: number, message: string | undefined, { modelName }: VendorWords): string {
  if (modelName === undefined) return message ?? unexplained(status)
  return message === undefined ? `There is no ${modelName}.` : `There is no ${modelName}: ${message}`
}

function unexplained(status: number): string {
  return `The provider refused the task (${status}).`
}

function refused(answer: ReceivedAnswer, words: VendorWords): ReportOf<'refused'> {
  const message = messageIn(answer, words) ?? 'The provider received too many requests.'
  const pauseMs = retryAfterMs(answer.headers) ?? words.retryAfterMs
  return { state: 'refused', message, retryAfterMs: pauseMs, status: answer.status }
}

/** @param words the vendor's message about the account. @default none */
function accountAtFault(status: number, message: string, words?: string): ReportOf<'failed'> {
  const cause = words === undefined ? {} : { cause: new Error(words) }
  return { ...failed('provider_rejected', message), isAccountAtFault: true, status, ...cause }
}

function noNews({ status }: ReceivedAnswer, message = 'no reason given'): Error {
  return Object.assign(new Error(`The provider answered with status ${status}: ${message}`), { status })
}
