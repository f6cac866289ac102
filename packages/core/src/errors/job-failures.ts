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
 * Why a job failed: a code of the provider, or one of four codes of the service itself.
 * - `canceled`: its owner has canceled it.
 * - `submit_ambiguous`: it is unknown whether the provider took the task on.
 * - `deadline_exceeded`: the job did not finish by its deadline.
 * - `service_failed`: five processes in a row ended during a step of this job, or the app's `moderation` has not decided
 *   about its outputs.
 */
export type JobFailure =
  ProviderFailure | 'canceled' | 'submit_ambiguous' | 'deadline_exceeded' | 'service_failed'
