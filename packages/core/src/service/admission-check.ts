import type { Clock } from '../contracts/clock.ts'
import { inputModerator } from '../moderation/input-moderator.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Admission, GenerationServiceOptions } from './generation-service-options.ts'

/** Decides whether a valid job may be stored. Rejects with a `GenerationError` to refuse the job. */
export type AdmissionCheck = (admission: Admission) => Promise<void>

/**
 * How long the app's `admit` may take, in milliseconds. There is a limit because a call that never settles would block
 * the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/**
 * Puts together what the options say about new jobs. The app's `moderate` comes last, because it may cost money.
 * @returns `undefined` when every valid job is admitted
 */
export function admissionCheck(
  { admit, moderate }: Pick<GenerationServiceOptions, 'admit' | 'moderate'>,
  clock: Clock,
): AdmissionCheck | undefined {
  const checks: AdmissionCheck[] = []
  if (admit)
    checks.push(async (admission) => withinLimit(clock, admitLimitMs, 'app’s admit', () => admit(admission)))
  if (moderate?.input) checks.push(inputModerator(moderate.input, clock))
  if (checks.length === 0) return undefined
  return async (admission) => {
    for (const check of checks) await check(admission)
  }
}
