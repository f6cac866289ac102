import { ApiError } from '../api/api-error.ts'

/** An error for operators: a short title, and what can be done about it. */
export interface ErrorWords {
  readonly title: string
  readonly text: string
}

/** Words for codes whose message alone would not say what to do. */
const words: ReadonlyMap<string, ErrorWords> = new Map(
  Object.entries({
    invalid_api_key: {
      title: 'This key is not valid',
      text: 'Check it for typing errors. It must be one of the keys that the service has for operators.',
    },
    missing_api_key: { title: 'The key is missing', text: 'Type the key of an operator.' },
    operator_only: {
      title: "This is a client's key",
      text: 'Clients can not open this page. Use one of the keys that the service has for operators.',
    },
    route_not_found: {
      title: 'The service has no routes for operators',
      text: 'Add the plugin operator of @genmount/operator to the service, or correct the option baseUrl of this page.',
    },
    network_error: {
      title: 'The server does not answer',
      text: 'It may be down, or something between it and this page is.',
    },
    store_unavailable: {
      title: 'The service can not reach its store',
      text: 'Jobs wait until it can. Nothing that was accepted is lost.',
    },
  }),
)

/** The titles of codes whose message says the rest. */
const titles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    not_supported: 'The service can not do this',
    job_not_found: 'The job is gone',
    job_finished: 'The job has ended already',
    job_processing: 'The job has not ended yet',
    invalid_request: 'The service does not accept this',
    shutting_down: 'The service is being restarted',
    rate_limit_exceeded: 'Too many requests',
    internal_error: 'The service has an internal error',
    unexpected_answer: 'The answer does not come from the service',
  }),
)

/** Explains in words why a request has failed. */
export function errorWords(error: unknown): ErrorWords {
  if (!(error instanceof ApiError)) {
    const text = error instanceof Error ? error.message : String(error)
    return { title: 'The request has failed', text }
  }
  return (
    words.get(error.code) ?? {
      title: titles.get(error.code) ?? 'The request has failed',
      text: error.message,
    }
  )
}
