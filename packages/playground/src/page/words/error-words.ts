import { GenmountError } from '@genmount/client'

/** An error for the visitor: a short title, and the message of the service. */
export interface ErrorWords {
  readonly title: string
  readonly text: string
}

/** Titles by error code: of refused requests, of failed jobs, and of the client. */
const titles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    missing_api_key: 'The API key is missing',
    invalid_api_key: 'This key is not valid',
    model_not_allowed: 'Your key may not use this model',
    model_not_found: 'This model no longer exists',
    origin_not_allowed: 'The service does not accept requests from this page',
    invalid_request: 'The service does not accept this input',
    missing_field: 'Something is missing',
    wrong_output_kind: 'The model makes another kind of output',
    content_policy: 'The content rules do not allow this',
    job_not_found: 'The job no longer exists',
    file_not_found: 'The file no longer exists',
    file_not_ready: 'The file is not ready yet',
    route_not_found: 'The service can not do this',
    not_supported: 'The service can not do this',
    job_finished: 'The job has ended already',
    job_processing: 'The job has not ended yet',
    request_too_large: 'This is too large',
    unsupported_media_type: 'The service does not take files of this kind',
    rate_limit_exceeded: 'Too many requests',
    too_many_running_jobs: 'Too many jobs at a time',
    insufficient_quota: 'Your quota is used up',
    capacity_exceeded: 'The service is busy',
    store_unavailable: 'The service can not reach its storage',
    shutting_down: 'The service is being restarted',
    moderation_unavailable: 'The content rules can not be checked now',
    internal_error: 'The service has an internal error',
    network_error: 'The service can not be reached',
    timeout: 'The service does not answer',
    unexpected_answer: 'The answer does not come from the service',
    provider_rejected: 'The provider does not accept this input',
    provider_failed: 'The provider could not make it',
    provider_lost: 'The provider has lost the job',
    output_elsewhere: 'The service gives its outputs another address',
    output_invalid: 'The result can not be used',
    input_fetch_failed: 'A file of the input could not be fetched',
    canceled: 'Canceled',
    submit_ambiguous: 'It is unknown whether the provider has started the job',
    deadline_exceeded: 'It took too long',
    service_failed: 'The service failed during this job',
  }),
)

/** Explains in words why a request or a job has failed. */
export function errorWords(error: unknown): ErrorWords {
  const { code, message, retryAfterMs } = asGenmountError(error)
  if (code === 'invalid_api_key')
    return {
      title: titles.get(code) ?? '',
      text: 'Check the key for typing errors, or ask the operator of this service.',
    }
  const wait =
    retryAfterMs === undefined ? '' : ` Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`
  return { title: titles.get(code) ?? 'The request has failed', text: message + wait }
}

/** Explains in words why a job has failed. @param error the job's `error`, in the form `code: text` */
export function failureWords(error: string | null): ErrorWords {
  const [, code = '', text = error ?? ''] = /^(\w+): (.*)$/s.exec(error ?? '') ?? []
  return { title: titles.get(code) ?? 'The job has failed', text }
}

function asGenmountError(error: unknown): Pick<GenmountError, 'code' | 'message' | 'retryAfterMs'> {
  if (error instanceof GenmountError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'unknown', message, retryAfterMs: undefined }
}
