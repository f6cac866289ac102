/** How the /v1 interface answers a request that it refuses with a code. */
export interface ErrorAnswer {
  /** The HTTP status code. */
  readonly status: number
  /** The `type` of the error body, by which clients group errors. */
  readonly type: string
  /** The value of the `Retry-After` header, in seconds (RFC 9110 section 10.2.3). @default no such header is sent */
  readonly retryAfterSeconds?: number
}

/**
 * Every code with which a request can be refused, and how the /v1 interface answers it. The codes that say why a job
 * failed are {@link JobFailure}.
 */
export const errorCodes = answers({
  /** The body is empty, not UTF-8 or not JSON. */
  invalid_json: { status: 400, type: 'invalid_request_error' },
  /** A field, query parameter or header has a value that is not accepted; `param` names it. */
  invalid_request: { status: 400, type: 'invalid_request_error' },
  /** A required field of the body is absent; `param` names it. */
  missing_field: { status: 400, type: 'invalid_request_error' },
  /** No model of the service has the requested id. */
  model_not_found: { status: 400, type: 'invalid_request_error' },
  /** The model makes images and the endpoint makes videos, or the reverse. */
  wrong_output_kind: { status: 400, type: 'invalid_request_error' },
  /** The app's `moderation` refuses the input. */
  content_policy: { status: 400, type: 'invalid_request_error' },
  /** The request has no bearer token. */
  missing_api_key: { status: 401, type: 'authentication_error' },
  /** The bearer token belongs to no owner. */
  invalid_api_key: { status: 401, type: 'authentication_error' },
  /** Thrown by the app's `admit`: this owner may not use the model. */
  model_not_allowed: { status: 403, type: 'permission_error' },
  /** A page of another origin, which the app has not allowed, sends a request in the name of its visitor. */
  origin_not_allowed: { status: 403, type: 'permission_error' },
  /** The path is for the operators of the service, and the key is that of a client. */
  operator_only: { status: 403, type: 'permission_error' },
  /** There is no such job, it belongs to another owner, or it has expired. */
  job_not_found: { status: 404, type: 'not_found_error' },
  /** The job is still processing, so it has no output file yet. */
  file_not_ready: { status: 404, type: 'not_found_error' },
  /** The job has no such output file, the link to the file has expired, or there is no such upload. */
  file_not_found: { status: 404, type: 'not_found_error' },
  /** Nothing is served at the path. */
  route_not_found: { status: 404, type: 'not_found_error' },
  /** The path exists, but not with this HTTP method. */
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  /** The client took too long to send the body or to read a file. */
  request_timeout: { status: 408, type: 'invalid_request_error' },
  /** Another request with the same idempotency key has not been answered yet. */
  idempotency_in_progress: { status: 409, type: 'invalid_request_error', retryAfterSeconds: 1 },
  /** The job has completed or failed, so it can't be canceled. */
  job_finished: { status: 409, type: 'invalid_request_error' },
  /** The job is still processing, so it can't be deleted. Cancel it first. */
  job_processing: { status: 409, type: 'invalid_request_error', retryAfterSeconds: 3 },
  /** The body has more bytes than are accepted. */
  request_too_large: { status: 413, type: 'invalid_request_error' },
  /**
   * The body is not sent as JSON, or in an encoding that is not accepted; or the file is of a type that can't be uploaded.
   */
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  /** The `Range` header asks for bytes that the file does not have. */
  range_not_satisfiable: { status: 416, type: 'invalid_request_error' },
  /** The idempotency key was used before with another body. */
  idempotency_key_reused: { status: 422, type: 'invalid_request_error' },
  /**
   * The owner sends more requests than `requestsPerMinute` of the app's `limits`, or the app itself limits the owner.
   */
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error', retryAfterSeconds: 3 },
  /** The owner has as many unfinished jobs as `maxRunningJobsPerOwner`, or `runningJobs` of the app's `limits`, allows. */
  too_many_running_jobs: { status: 429, type: 'rate_limit_error', retryAfterSeconds: 3 },
  /**
   * The owner has used up a budget or `storedBytes` of the app's `limits`, or a budget that its `admit` keeps or the request sets.
   */
  insufficient_quota: { status: 429, type: 'rate_limit_error' },
  /** A fault of the server. The client gets no detail. The cause goes to the log. */
  internal_error: { status: 500, type: 'server_error' },
  /** The service lacks what the request needs: a method of its job store, such as the one for lists, or a plugin. */
  not_supported: { status: 501, type: 'server_error' },
  /** The job store does not answer. */
  store_unavailable: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
  /** The job store is full, or the server holds as many bodies or downloads as it may. */
  capacity_exceeded: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
  /** The app's `moderation` has not decided about the input. */
  moderation_unavailable: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
  /** The service has begun to close. */
  shutting_down: { status: 503, type: 'server_error', retryAfterSeconds: 3 },
})

/** A code with which a request can be refused: a key of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes

/** Keeps the codes as the keys of the type, so that an unknown code does not compile. */
function answers<const Table extends Readonly<Record<string, ErrorAnswer>>>(
  table: Table,
): { readonly [Code in keyof Table]: ErrorAnswer } {
  return table
}

/**
 * The codes with which a provider can report that a job has failed. They become the `error.code` of the job. The codes
 * of refused requests are {@link errorCodes}.
 */
export const providerFailures = [
  /** The provider does not accept the task, or does not accept this service's account. */
  'provider_rejected',
  /** The task or its outputs break the rules on content of the provider or of the app (`moderation`). */
  'content_policy',
  /** The provider tried and failed, or gave no other reason. */
  'provider_failed',
  /** The provider no longer knows a task that it had taken on. */
  'provider_lost',
  /** The provider has finished, but no output can be delivered: all are missing, empty, or at URLs that are not accepted. */
  'output_invalid',
  /** A file whose URL is in the input could not be fetched. */
  'input_fetch_failed',
] as const

/** A code with which a provider can report that a job has failed: one of {@link providerFailures}. */
export type ProviderFailure = (typeof providerFailures)[number]

/**
 * Why a job failed: a code of the provider, or one of five codes of the service itself.
 * - `canceled`: its owner has canceled it.
 * - `submit_ambiguous`: it is unknown whether the provider took the task on.
 * - `deadline_exceeded`: the job did not finish by its deadline.
 * - `insufficient_quota`: another provider of its model was to make the job, whose price does not fit into a budget of the app's
 *   `limits`.
 * - `service_failed`: five processes in a row ended during a step of this job, or the app's `moderation` has not decided
 *   about its outputs.
 */
export type JobFailure =
  | ProviderFailure
  | 'canceled'
  | 'submit_ambiguous'
  | 'deadline_exceeded'
  | 'insufficient_quota'
  | 'service_failed'
