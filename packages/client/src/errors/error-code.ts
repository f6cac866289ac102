/** The error codes of requests that the service refuses. */
export type ServiceErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'missing_field'
  | 'model_not_found'
  | 'wrong_output_kind'
  | 'content_policy'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'model_not_allowed'
  | 'origin_not_allowed'
  | 'operator_only'
  | 'job_not_found'
  | 'file_not_ready'
  | 'file_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'idempotency_in_progress'
  | 'job_finished'
  | 'job_processing'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'idempotency_key_reused'
  | 'rate_limit_exceeded'
  | 'too_many_running_jobs'
  | 'insufficient_quota'
  | 'internal_error'
  | 'not_supported'
  | 'store_unavailable'
  | 'capacity_exceeded'
  | 'moderation_unavailable'
  | 'shutting_down'

/** The error codes of failed jobs. */
export type JobFailureCode =
  | 'provider_rejected'
  | 'content_policy'
  | 'provider_failed'
  | 'provider_lost'
  | 'output_invalid'
  | 'input_fetch_failed'
  | 'canceled'
  | 'submit_ambiguous'
  | 'deadline_exceeded'
  | 'insufficient_quota'
  | 'service_failed'

/**
 * The error codes that the client itself sets.
 * - `network_error`: no answer arrived, or the connection broke during the answer.
 * - `timeout`: no answer arrived in time.
 * - `aborted`: the `signal` of the call aborted.
 * - `output_elsewhere`: the service takes another address for its own than that at which the client calls it, and the outputs
 *   can't be reached there.
 * - `unexpected_answer`: the answer does not come from a genmount service, but for example from a proxy.
 */
export type ClientErrorCode =
  | 'network_error'
  | 'timeout'
  | 'aborted'
  | 'output_elsewhere'
  | 'unexpected_answer'

/** All error codes that this version knows. A newer service may send others. */
export type GenmountErrorCode = ServiceErrorCode | JobFailureCode | ClientErrorCode | (string & {})
