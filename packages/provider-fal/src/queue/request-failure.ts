import type { ProviderFailure, ProviderReport } from '@genmount/core'
import {
  failed,
  failureBy,
  recordOf,
  type ReportOf,
  type VendorAnswer,
  vendorReason,
} from '@genmount/provider-kit'

/**
 * This service's codes for fal's error types. A type that is not listed becomes `provider_failed`, or gets a code by
 * the HTTP status. https://fal.ai/docs/documentation/model-apis/errors and
 * https://fal.ai/docs/documentation/model-apis/request-errors
 */
export const codes: ReadonlyMap<string, ProviderFailure> = new Map([
  ['content_policy_violation', 'content_policy'],
  ['file_download_error', 'input_fetch_failed'],
  ['bad_request', 'provider_rejected'],
  ['no_media_generated', 'provider_failed'],
  ['internal_server_error', 'provider_failed'],
  ['generation_timeout', 'provider_failed'],
  ['downstream_service_error', 'provider_failed'],
  ['downstream_service_unavailable', 'provider_failed'],
])

/**
 * Statuses of a model's answers to its input. fal's own servers do not use them in answers to a request for a result.
 */
const modelStatuses: readonly number[] = [400, 409, 413, 415, 422, 499]

/** Reads from a status that the request has failed without a result. Such a status has an `error_type`. */
export function requestFailure(status: Readonly<Record<string, unknown>>): ReportOf<'failed'> | undefined {
  const { error, error_type: type } = status
  if (!isText(type)) return undefined
  const words = isText(error) ? error : type
  return failed(codes.get(type) ?? failureBy([type], words), words)
}

/**
 * Turns an unsuccessful result into a report. The result of a finished request is the model's own answer, but fal's
 * servers, which pass it on, can also answer with errors of their own.
 * @param hasFailed whether the status shows that the request has failed
 * @param costUsd what fal charges for the request
 * @throws Error when the answer does not show the state of the request
 */
export function resultFailure(answer: VendorAnswer, hasFailed: boolean, costUsd?: number): ProviderReport {
  const { status } = answer
  if (typesIn(answer).length > 0 || modelStatuses.includes(status) || (hasFailed && status >= 500))
    return { ...modelFailure(answer), costUsd }
  const failure = answer.pollFailure()
  if (failure.state === 'refused') return failure
  const message = 'The request has finished, but fal does not keep its result any more.'
  return { ...failure, message, costUsd }
}

/** Reads an answer as the model's own error. */
export function modelFailure(answer: VendorAnswer): ReportOf<'failed'> {
  const { status, headers } = answer
  const own = answer.message ?? vendorReason(answer.content)?.message
  const words = own || `The model answered with status ${status}.`
  const failures = typesIn(answer).flatMap((type) => codes.get(type) ?? [])
  const isPolicy = failures.length === 0 && failureBy([], words) === 'content_policy'
  const byStatus = status < 500 && status !== 499 ? 'provider_rejected' : 'provider_failed'
  const code = isPolicy || failures.includes('content_policy') ? 'content_policy' : (failures[0] ?? byStatus)
  const mayWork = (headers.get('x-fal-retryable') ?? headers.get('x-fal-needs-retry')) === 'true'
  return failed(code, mayWork ? `${words} (The same request may succeed later.)` : words)
}

/** fal's error types in an answer: `detail[].type` of a model, `error_type` or its header of a request. */
export function typesIn({ json, headers }: VendorAnswer): string[] {
  const { detail, error_type } = recordOf(json)
  const types = Array.isArray(detail) ? detail.map((item) => recordOf(item)['type']) : []
  return [...types, error_type, headers.get('x-fal-error-type')].filter(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
