import type { CreateOptions, GenerationProgress } from '../client/client-options.ts'
import type { GenmountError } from '../errors/genmount-error.ts'
import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Job } from '../wire/job.ts'

/** The state of a component's latest generation. */
export interface GenerationState {
  /** `idle` before the first generation and after a reset, then `processing`, then the result of the generation. */
  readonly status: 'idle' | 'processing' | 'completed' | 'failed'
  /** The last known state of the job. `undefined` until the service has created it. */
  readonly job: Job | undefined
  /** How far the job is, as reported by its provider, and 1 when the job has completed. */
  readonly progress: GenerationProgress | undefined
  /** Why the generation has failed, or why it could not be canceled: a `GenmountError`, or what your own `fetch` or `apiKey` throws. */
  readonly error: (Error & Partial<Omit<GenmountError, keyof Error>>) | undefined
}

/** The options of a generation in a component. */
export type GenerationOptions = Pick<CreateOptions, 'idempotencyKey'>

/** The functions to start and end a component's generations. */
export interface GenerationActions<Models extends object> {
  /**
   * Starts a generation, which replaces the one before. The job of the replaced generation continues, but the component
   * no longer shows it.
   * @returns the finished job; `undefined` when the job has failed or another generation has replaced this one. The
   * promise never rejects
   */
  generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: GenerationOptions,
  ): Promise<Job | undefined>
  /**
   * Cancels the job as soon as the service has created it. The job then fails with the code `canceled`. The promise
   * never rejects.
   */
  cancel(): Promise<void>
  /** Goes back to `idle`. The job continues, but the component no longer shows it. */
  reset(): void
}
