import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { storeUnavailable } from '../errors/store-unavailable.ts'
import { limitsOf, type LimitsOf } from '../limits/owner-limits.ts'
import { type Spending, spending } from '../limits/spending.ts'
import { inputModerator } from '../moderation/input-moderator.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Admission, GenerationServiceOptions } from './generation-service-options.ts'

/** Decides whether a valid job may be stored. Rejects with a `GenerationError` to refuse the job. */
export type AdmissionCheck = (admission: Admission) => Promise<void>

/** What the host's options say about its owners and their jobs. */
export interface HostGuards {
  /** Absent when every valid job is admitted. */
  readonly admit: AdmissionCheck | undefined
  /** Takes note of a job that this process has ended. */
  ended(job: Job): void
}

/**
 * How long the app's `admit` may take, in milliseconds. There is a limit because a call that never settles would block
 * the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

/**
 * Puts the host's guards together. The app's `moderate` comes last, because it may cost money.
 * @throws TypeError when a limit can't be kept over this job store
 */
export function hostGuards(
  { admit, moderate, limits }: Pick<GenerationServiceOptions, 'admit' | 'moderate' | 'limits'>,
  jobs: JobStore,
  clock: Clock,
): HostGuards {
  const checks: AdmissionCheck[] = []
  let spent: Spending | undefined
  if (typeof limits === 'function' || limits?.spendUsdPerDay !== undefined) {
    if (!jobs.costs && typeof limits !== 'function') throw noLedger()
    spent = spending(jobs.costs ?? (() => Promise.reject(noLedger())), clock)
    checks.push(spendingCheck(limitsOf(limits, clock), spent, clock))
  }
  if (admit)
    checks.push(async (admission) => withinLimit(clock, admitLimitMs, 'app’s admit', () => admit(admission)))
  if (moderate?.input) checks.push(inputModerator(moderate.input, clock))

  async function askAll(admission: Admission): Promise<void> {
    for (const check of checks) await check(admission)
  }

  return { admit: checks.length > 0 ? askAll : undefined, ended: (job) => spent?.saw(job) }
}

function noLedger(): TypeError {
  return new TypeError(
    'createGenerationService: limits.spendUsdPerDay needs a backend with a ledger: the job store must have costs().',
  )
}

/**
 * How long a create waits for the ledger, in milliseconds, so that it fails within 2 seconds when the store hangs. A
 * longer read goes on for the next create.
 */
const ledgerLimitMs = 400
/** Sums of US dollars are not exact, so a sum that is this little below its limit has reached it. */
const roundingUsd = 1e-9

function spendingCheck(limitsFor: LimitsOf, spent: Spending, clock: Clock): AdmissionCheck {
  return async ({ owner }) => {
    const { spendUsdPerDay: most } = await limitsFor(owner)
    if (most === undefined) return
    const usd = await withinLimit(clock, ledgerLimitMs, 'ledger', () => spent.of(owner)).catch(unreadable)
    if (usd < most - roundingUsd) return
    const message = `Your jobs have cost ${usd.toFixed(2)} US dollars in the last 24 hours; ${most.toFixed(2)} are allowed.`
    throw new GenerationError('insufficient_quota', message)
  }
}

function unreadable(fault: unknown): never {
  throw fault instanceof GenerationError || fault instanceof TypeError ? fault : storeUnavailable(fault)
}
