// Why a job failed, as `error.code` of a job. Why a request was refused stands in `error-codes.ts`.

/** The reasons that a provider can give for a job's failure. */
export const providerFailures = [
  'provider_rejected',
  'content_policy',
  'provider_failed',
  'provider_lost',
  'output_invalid',
  'input_fetch_failed',
] as const

/** Why a provider says that a job has failed. */
export type ProviderFailure = (typeof providerFailures)[number]

/**
 * Why a job failed: the provider's reason, or one of the service's own. `submit_ambiguous`: nobody knows whether the provider
 * took the task on. `deadline_exceeded`: the job did not finish by its deadline. `service_failed`: several processes in a row
 * ended during its steps.
 */
export type JobFailure = ProviderFailure | 'submit_ambiguous' | 'deadline_exceeded' | 'service_failed'
