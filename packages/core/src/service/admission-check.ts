import type { Clock } from '../contracts/clock.ts'
import type { JsonObject } from '../contracts/json.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import type { Admission, GenerationServiceOptions } from './generation-service-options.ts'
import type { ServiceLimits } from './service-limits.ts'
import type { ServiceModeration } from './service-moderation.ts'

/** Decides whether a valid job may be stored. Rejects with a `GenerationError` to refuse the job. */
export type AdmissionCheck = (admission: Admission) => Promise<void>

/**
 * How long the app's `admit` may take, in milliseconds. There is a limit because a call that never settles would block
 * the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/**
 * Combines the checks of a new job. The app's `moderate` comes last, because it may cost money.
 * @returns `undefined` when every valid job is admitted
 */
export function admissionCheck(
  admit: GenerationServiceOptions['admit'],
  limit: ServiceLimits['admit'],
  moderate: ServiceModeration['input'],
  clock: Clock,
): AdmissionCheck | undefined {
  if (!admit && !limit && !moderate) return undefined
  return async (given) => {
    // Each function of the app gets its own copy: a change that it makes to the input would not be validated, so the
    // input must be neither moderated nor submitted with it.
    const copy = () => ({ ...given, input: jsonCopy(given.input) as JsonObject })
    if (limit) await limit(given.owner)
    if (admit) await withinLimit(clock, admitLimitMs, 'app’s admit', () => admit(copy()))
    if (moderate) await moderate(copy())
  }
}
