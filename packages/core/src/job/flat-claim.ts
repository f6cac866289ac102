import type { Job, JobClaim } from '../contracts/job.ts'

/**
 * The claim of a job as the JSON of stored jobs has it: its parts stand among the fields of the job, under the names of the
 * first release.
 */
export interface FlatClaim {
  /** `token` of the claim. */
  readonly claimToken?: string | undefined
  /** `until` of the claim, in milliseconds since the Unix epoch. */
  readonly claimedUntil?: number | undefined
  /** `isQuiet` of the claim. */
  readonly isQuiet?: true | undefined
  /** `deaths` of the claim. */
  readonly abandonedClaims?: number | undefined
}

/** The fields that a store writes in place of `claim`. */
export function flatClaim({ token, until, isQuiet, deaths }: JobClaim = {}): FlatClaim {
  return { claimToken: token, claimedUntil: until, isQuiet, abandonedClaims: deaths }
}

/** The stored job with `claim` in place of those fields. */
export function withClaim<Stored extends FlatClaim>(
  stored: Stored,
): Omit<Stored, keyof FlatClaim> & Pick<Job, 'claim'> {
  const { claimToken, claimedUntil, isQuiet, abandonedClaims, ...rest } = stored
  if (claimToken === undefined && claimedUntil === undefined) return rest
  const claim = {
    ...(claimToken !== undefined && { token: claimToken }),
    ...(claimedUntil !== undefined && { until: claimedUntil }),
    ...(isQuiet && { isQuiet }),
    ...(abandonedClaims !== undefined && { deaths: abandonedClaims }),
  }
  return { ...rest, claim }
}
