import {
  type ErrorAnswer,
  type ErrorCode,
  errorCodes,
  GenerationError,
  type Job,
  type JobFailure,
} from '@genmount/core'
import type { V1Reply } from '@genmount/v1-interface'

/** The body of an error, as OpenAI's SDKs read it. */
export interface OpenaiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

/** How an error is answered. */
interface Refusal {
  readonly status: number
  readonly error: OpenaiError
}

/** The codes whose answer differs from that of /v1. The others keep status, type and code. */
const answers: { readonly [code in ErrorCode]?: Partial<{ status: number; type: string; code: string }> } = {
  model_not_found: { status: 404 },
  content_policy: { type: 'image_generation_user_error', code: 'moderation_blocked' },
  missing_api_key: { type: 'invalid_request_error' },
  invalid_api_key: { type: 'invalid_request_error' },
  job_not_found: { type: 'invalid_request_error', code: 'not_found' },
  file_not_found: { type: 'invalid_request_error', code: 'not_found' },
  route_not_found: { type: 'invalid_request_error', code: 'unknown_url' },
  rate_limit_exceeded: { type: 'requests' },
  too_many_running_jobs: { type: 'requests', code: 'rate_limit_exceeded' },
  insufficient_quota: { type: 'insufficient_quota' },
}

/**
 * The codes with status 408, 409, 429 or 5xx that a second try would not change, or after which it is unknown whether a job
 * was made. OpenAI's SDKs send such requests again by themselves, unless a header says that they should not.
 */
const final: ReadonlySet<ErrorCode> = new Set([
  'insufficient_quota',
  'internal_error',
  'not_supported',
  'job_finished',
  'job_processing',
])

/** The reply to a request that is refused before it has a job. */
export function refusalReply(error: GenerationError): V1Reply {
  const {
    status: usual,
    type: usualType,
    retryAfterSeconds: usualSeconds,
  }: ErrorAnswer = errorCodes[error.code]
  const { retryAfterSeconds = usualSeconds } = error
  const { status = usual, type = usualType, code = error.code } = answers[error.code] ?? {}
  const message = (error.code === 'route_not_found' ? noSuchUrl : error.message).toWellFormed()
  const param = error.param?.toWellFormed() ?? null
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  if (final.has(error.code)) headers['x-should-retry'] = 'false'
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  return errorReply({ status, error: { message, type, param, code } }, headers)
}

/** Whether OpenAI's SDKs send a request again by themselves after this refusal, if they have tries left. */
export function isSentAgain(refusal: unknown): boolean {
  if (!(refusal instanceof GenerationError) || final.has(refusal.code)) return false
  const status = answers[refusal.code]?.status ?? errorCodes[refusal.code].status
  return [408, 409, 429].includes(status) || status >= 500
}

const noSuchUrl =
  'There is nothing at this path. This service has models, images/generations, images/edits and videos of the OpenAI API.'

/** How the failures of jobs are answered: the status, and the type and code of the error. */
const failures: { readonly [code in JobFailure]: readonly [status: number, type: string, code: string] } = {
  content_policy: [400, 'image_generation_user_error', 'moderation_blocked'],
  insufficient_quota: [429, 'insufficient_quota', 'insufficient_quota'],
  provider_rejected: [400, 'invalid_request_error', 'provider_rejected'],
  input_fetch_failed: [400, 'invalid_request_error', 'input_fetch_failed'],
  canceled: [409, 'invalid_request_error', 'canceled'],
  provider_failed: [500, 'server_error', 'provider_failed'],
  provider_lost: [500, 'server_error', 'provider_lost'],
  output_invalid: [500, 'server_error', 'output_invalid'],
  submit_ambiguous: [500, 'server_error', 'submit_ambiguous'],
  service_failed: [500, 'server_error', 'service_failed'],
  deadline_exceeded: [504, 'server_error', 'deadline_exceeded'],
}

/** The error of a job that has failed. A second request of the client would not change it. */
export function failureOf({ id, error }: Job): Refusal {
  const { code: failure, message } = error ?? { code: 'service_failed', message: 'The job has failed.' }
  const [status, type, code] = failures[failure as JobFailure]
  return { status, error: { message: `${message} (job ${id})`, type, param: null, code } }
}

/** The error for a client whose wait is over before its jobs have finished. */
export function stillProcessing(jobs: readonly Job[], baseUrl: string): Refusal {
  const [urls, are] = [jobs.map(({ id }) => `${baseUrl}/v1/jobs/${id}`), jobs.length === 1 ? 'is' : 'are']
  const message = `Job ${jobs.map(({ id }) => id).join(', ')} ${are} still processing. Read its state at ${urls.join(', ')}. A new request would be paid for again.`
  return { status: 504, error: { message, type: 'server_error', param: null, code: 'job_processing' } }
}

/** The reply to a request whose job is stored. OpenAI's SDKs must not send such a request again by themselves. */
export function finalReply(refusal: Refusal, headers: Record<string, string> = {}): V1Reply {
  return errorReply(refusal, { ...headers, 'x-should-retry': 'false' })
}

function errorReply({ status, error }: Refusal, headers: Record<string, string>): V1Reply {
  headers['content-type'] = 'application/json'
  return { status, headers, body: JSON.stringify({ error }) }
}
