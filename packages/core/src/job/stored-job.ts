import type { Job, JobInputs } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'

/**
 * A job as the JSON of stored jobs has it, under the names of the first release, so that releases beside this one can read
 * it: `task` is the input that the provider gets, `input` the input as the owner sees it, and the parts of the claim stand
 * among the fields of the job.
 */
export interface StoredJob extends Omit<Job, keyof JobInputs | 'claim'> {
  /** `input` of the job. */
  readonly task?: JsonObject | undefined
  /** `shownInput` of the job. */
  readonly input: JsonObject
  /** `token` of the claim. */
  readonly claimToken?: string | undefined
  /** `until` of the claim, in milliseconds since the Unix epoch. */
  readonly claimedUntil?: number | undefined
  /** `isQuiet` of the claim. */
  readonly isQuiet?: true | undefined
  /** `deaths` of the claim. */
  readonly abandonedClaims?: number | undefined
}

/** The form in which a store writes a job. A field that the job lacks is absent from its JSON. */
export function toStoredJob({ input: task, shownInput, claim = {}, ...rest }: Job): StoredJob {
  const { token: claimToken, until: claimedUntil, isQuiet, deaths: abandonedClaims } = claim
  return { ...rest, claimToken, claimedUntil, isQuiet, abandonedClaims, task, input: shownInput }
}

/** The job of a stored form. */
export function fromStoredJob(stored: StoredJob): Job {
  const { task, input, claimToken, claimedUntil, isQuiet, abandonedClaims, ...rest } = stored
  const claim = (claimToken ?? claimedUntil) !== undefined && {
    ...(claimToken !== undefined && { token: claimToken }),
    ...(claimedUntil !== undefined && { until: claimedUntil }),
    ...(isQuiet && { isQuiet }),
    ...(abandonedClaims && { deaths: abandonedClaims }),
  }
  return { ...rest, ...(claim && { claim }), ...(task && { input: task }), shownInput: input }
}
