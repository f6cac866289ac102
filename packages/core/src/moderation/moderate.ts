import type { Model, Output } from '../contracts/provider.ts'
import { callable, type Check, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'

/** What the app says about an input or about outputs. Anything else than these two values counts as a fault. */
export type Verdict =
  | 'allowed'
  | {
      /** Why the app refuses, in words for the owner of the job: a text that is not empty. */
      readonly refused: string
    }

/** A valid input that is about to become a job. */
export interface ModeratedInput {
  /** For whom the bearer token stands. */
  readonly owner: string
  /** The model that is to make the job. */
  readonly model: Model
  /** A copy of the validated input. */
  readonly input: object
}

/** The outputs of a job, before anybody can read them. */
export interface ModeratedOutputs extends ModeratedInput {
  /** The id of the job. */
  readonly jobId: string
  /** All outputs of the job as the provider gives them: links, or bytes, which must not be changed. */
  readonly outputs: readonly Output[]
}

/**
 * The app's own rules on content. What is not certainly allowed is refused: a function that throws, takes too long or
 * returns anything else than a {@link Verdict} lets nothing through.
 */
export interface Moderate {
  /**
   * Looks at the input of each new job, after `admit`. A refusal answers the create with 400 `content_policy`; a fault
   * answers it with 503 `moderation_unavailable`. In both cases there is no job, and nothing is spent. It may take up
   * to 30 seconds.
   * @default every input is allowed
   */
  readonly input?: ((given: ModeratedInput) => Verdict | Promise<Verdict>) | undefined
  /**
   * Looks at the outputs of each job before they are stored or shown. A refusal fails the job as `content_policy`, with
   * what it has cost. A call may take up to 5 minutes, and a call that fails is repeated for a minute; then the job
   * fails as `service_failed`. It may be called again for the same outputs, for example when the process dies.
   * @default all outputs are allowed
   */
  readonly outputs?: ((given: ModeratedOutputs) => Verdict | Promise<Verdict>) | undefined
}

const table = {
  input: optional(callable<NonNullable<Moderate['input']>>()),
  outputs: optional(callable<NonNullable<Moderate['outputs']>>()),
} satisfies OptionTable<Moderate>

/** Checks the option `moderate`. */
export const checkModerate: Check<Moderate> = (name, value) => checkOptions(name, value, table)
