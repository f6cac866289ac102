import type { Setback } from '../job.ts'
import type { JsonObject } from '../json.ts'

/** The input of a create with its references resolved. */
export interface ResolvedInput {
  /** The input for the model's schema. */
  readonly input: JsonObject
  /** Returns the validated input as it is to be stored, with the references restored. */
  readonly restored: (validated: JsonObject) => JsonObject
  /** Throws a GenerationError when what the input refers to ends before the deadline of the job. */
  readonly mustLiveUntil: (deadlineAt: number) => void
  /**
   * When `awaitsInput` is to be asked for the first time at the latest, in milliseconds since the Unix epoch.
   * @default nothing is awaited
   */
  readonly awaitedUntil?: number | undefined
}

/** The input for a submit, or why the provider can't get it. */
export type SubmitInput =
  | {
      /** The input, valid until `letGo` is called. */
      readonly input: JsonObject
      /** Called once, when the provider has answered. */
      readonly letGo: () => void
    }
  | {
      /** Why the provider can't get the input at all. The job fails as `input_fetch_failed` with these words. */
      readonly gone: string
    }
  | {
      /** The provider can't get the input now. The submit is tried again. */
      readonly later: {
        /** The reason, which the owner can see. */
        readonly why?: Setback['why']
      }
    }
