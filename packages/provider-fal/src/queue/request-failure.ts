import type { ProviderFailure } from '@genmount/core'
import {
  failed,
  type FailedReport,
  messageOf,
  pollFailure,
  recordOf,
  type RefusedReport,
  type UnknownReport,
  type VendorAnswer,
} from '@genmount/vendor-http'

/**
 * What fal's words for a failure mean, where it is not just an input that the model does not take.
 * https://fal.ai/docs/documentation/model-apis/errors and https://fal.ai/docs/documentation/model-apis/request-errors
 */
const codes: ReadonlyMap<string, ProviderFailure> = new Map([
  ['content_policy_violation', 'content_policy'],
  ['file_download_error', 'input_fetch_failed'],
  ['bad_request', 'provider_rejected'],
  ['no_media_generated', 'provider_failed'],
  ['internal_server_error', 'provider_failed'],
  ['generation_timeout', 'provider_failed'],
  ['downstream_service_error', 'provider_failed'],
  ['downstream_service_unavailable', 'provider_failed'],
])

/** Statuses that a model gives to an input, and that fal's own servers do not give to a request for a result. */
const modelStatuses = new Set([400, 409, 413, 415, 422, 499])

/** The end of a request that never came to a result: the status itself tells, by `error_type`. */
export function requestFailure(status: Readonly<Record<string, unknown>>): FailedReport | undefined {
  const { error, error_type: type } = status
  if (typeof type !== 'string' || type === '') return undefined
  return failed(
    codes.get(type) ?? 'provider_failed',
    typeof error === 'string' && error !== '' ? error : type,
  )
}

/**
 * What a result means that is not a success: of a finished request it is the model's own answer, handed on by servers
 * that have errors of their own.
 * @param hasFailed whether the status has said so
 * @throws Error when it is no news
 */
export function resultFailure(
  answer: VendorAnswer,
  hasFailed: boolean,
): FailedReport | RefusedReport | UnknownReport {
  const { status } = answer
  const isOfModel = typesIn(answer).length > 0 || modelStatuses.has(status) || (hasFailed && status >= 500)
  if (isOfModel) return modelFailure(answer)
  const failure = pollFailure(answer)
  return failure.state === 'refused'
    ? failure
    : { ...failure, message: 'The request has finished, but fal does not keep its result any more.' }
}

/** An answer as the model's refusal or failure. */
export function modelFailure(answer: VendorAnswer): FailedReport {
  const { status, headers, json } = answer
  const words = messageOf(json) ?? `The model answered with status ${status}.`
  const known = typesIn(answer).flatMap((type) => codes.get(type) ?? [])
  const isPolicy = known.includes('content_policy') || (known.length === 0 && policyWords.test(words))
  const byStatus = status < 500 && status !== 499 ? 'provider_rejected' : 'provider_failed'
  const mayWork = (headers.get('x-fal-retryable') ?? headers.get('x-fal-needs-retry')) === 'true'
  const message = mayWork ? `${words} (The same request may succeed later.)` : words
  return failed(isPolicy ? 'content_policy' : (known[0] ?? byStatus), message)
}

const policyWords = /content policy|content checker|nsfw/i

/** The machine's words: `detail[].type` of model errors, `error_type` or its header of request errors. */
function typesIn({ json, headers }: VendorAnswer): string[] {
  const { detail, error_type } = recordOf(json)
  const types = Array.isArray(detail) ? detail.map((item) => recordOf(item)['type']) : []
  return [...types, error_type, headers.get('x-fal-error-type')].filter(
    (type): type is string => typeof type === 'string' && type !== '',
  )
}
