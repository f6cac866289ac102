import type { Model } from '../contracts/provider.ts'
import type { Output } from '../contracts/provider-report.ts'
import { callable, type Check, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** The app's decision about an input or about outputs. Any other value counts as an error. */
export type Verdict =
  | 'allowed'
  | {
      /** Why the app refuses, in words for the owner of the job: a text that is not empty. */
      readonly refused: string
    }

/** A valid input that is about to become a job. */
export interface ModeratedInput {
  /** The owner of the bearer token. */
  readonly owner: string
  /** The model that is to make the job. */
  readonly model: Model
  /** A copy of the validated input. */
  readonly input: object
}

/** The outputs of a job, before any client can read them. */
export interface ModeratedOutputs extends ModeratedInput {
  /** The id of the job. */
  readonly jobId: string
  /** All outputs of the job as the provider reports them: links, or bytes, which must not be changed. */
  readonly outputs: readonly Output[]
}

/**
 * The app's own rules on content. Only content that the app explicitly allows passes: if a function throws, takes too
 * long or returns anything other than a {@link Verdict}, nothing passes.
 */
export interface Moderate {
  /**
   * Checks the input of each new job, after `admit` and the plugins before this one. A refusal answers the create with 400 `content_policy`; an error
   * answers it with 503 `moderation_unavailable`. In both cases there is no job, and nothing is spent. It may take up
   * to 30 seconds.
   * @default every input is allowed
   */
  readonly input?: ((request: ModeratedInput) => Verdict | Promise<Verdict>) | undefined
  /**
   * Checks the outputs of each job before they are stored or shown. A refusal fails the job as `content_policy`, with
   * what it has cost. A call may take up to 5 minutes, and a call that fails is repeated for a minute; then the job
   * fails as `service_failed`. It may be called again for the same outputs, for example when the process dies.
   * @default all outputs are allowed
   */
  readonly outputs?: ((request: ModeratedOutputs) => Verdict | Promise<Verdict>) | undefined
}

const table = {
  input: optional(callable<NonNullable<Moderate['input']>>()),
  outputs: optional(callable<NonNullable<Moderate['outputs']>>()),
} satisfies OptionTable<Moderate>

/** Checks the rules of the plugin `moderation`. */
export const checkModerate: Check<Moderate> = (name, value) => checkOptions(name, value, table)
