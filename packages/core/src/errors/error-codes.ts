/**
 * Every code that a request can be refused with (why a job failed stands in `job-failures.ts`): its HTTP status, and the `type` that clients of this field group
 * errors by. The one table; `retry-after` is sent where `retryAfterSeconds` stands.
 */
export const errorCodes = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_request: { status: 400, type: 'invalid_request_error' },
  missing_field: { status: 400, type: 'invalid_request_error' },
  model_not_found: { status: 400, type: 'invalid_request_error' },
  wrong_output_kind: { status: 400, type: 'invalid_request_error' },
  missing_api_key: { status: 401, type: 'authentication_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  model_not_allowed: { status: 403, type: 'permission_error' },
  job_not_found: { status: 404, type: 'not_found_error' },
  file_not_ready: { status: 404, type: 'not_found_error' },
  file_not_found: { status: 404, type: 'not_found_error' },
  route_not_found: { status: 404, type: 'not_found_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  idempotency_in_progress: { status: 409, type: 'invalid_request_error', retryAfterSeconds: 1 },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  range_not_satisfiable: { status: 416, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 422, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error', retryAfterSeconds: 3 },
  too_many_running_jobs: { status: 429, type: 'rate_limit_error', retryAfterSeconds: 3 },
  insufficient_quota: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'server_error' },
  store_unavailable: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
  capacity_exceeded: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
  shutting_down: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
} as const satisfies Record<string, { status: number; type: string; retryAfterSeconds?: number }>

export type ErrorCode = keyof typeof errorCodes
