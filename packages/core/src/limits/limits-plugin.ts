import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { PluginHost, PluginHooks, ServicePlugin } from '../contracts/service-plugin.ts'
import { optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { GenerationError, throwUnavailable } from '../errors/generation-error.ts'
import { hasJustEnded } from '../job/job-state.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { fileRooms } from './file-rooms.ts'
import { type LimitsOf, limitsOf } from './limits-of.ts'
import { checkLimits, type Limits, type OwnerLimits } from './owner-limits.ts'
import { ownRequestCount, sharedRequestCount } from './request-count.ts'
import { checkRequestCounter, type RequestCounter } from './request-counter.ts'
import { runningPlaces } from './running-places.ts'
import { type Spending, spending } from './spending.ts'
import { type Storage, storage } from './storage.ts'

/** The further options of {@link limits}. */
export interface LimitsOptions {
  /**
   * Counts requests for `requestsPerMinute` in a place that all processes share, such as Redis.
   * @default each process counts the requests that it gets
   */
  readonly requestCounter?: RequestCounter | undefined
}

const table = { requestCounter: optional(checkRequestCounter) } satisfies OptionTable<LimitsOptions>

/**
 * Limits how much each owner may use: the same limits for everybody, or a function of the owner. The function is called at
 * most once in 10 seconds for each owner and may take 10 seconds. When it fails, the owner's request fails.
 * @throws TypeError when a limit is wrong, or the job store lacks what a limit needs. If the limits come from a function, the
 *   latter is an error only when an owner has the limit
 * @example createGenerationService({ providers, plugins: [limits({ spendUsdPerDay: 10, runningJobs: 20 })] })
 */
export function limits(most: Limits, options: LimitsOptions = {}): ServicePlugin {
  const checked = checkLimits('limits', most)
  const { requestCounter } = checkOptions('limits', options, table)
  return { name: 'limits', attach: (host) => limitHooks(checked, requestCounter, host) }
}

/** What each limit needs of the job store. */
const needs = {
  spendUsdPerDay: 'a backend with a ledger: the job store must have costs()',
  runningJobs: 'a job store with unfinished()',
  storedBytes: 'a job store with storedBytes() and noteUpload()',
}

function limitHooks(
  most: Limits,
  requestCounter: RequestCounter | undefined,
  { jobs, clock }: PluginHost,
): PluginHooks {
  const mayLimit = (name: keyof OwnerLimits) => typeof most === 'function' || most[name] !== undefined
  const isMissing = {
    spendUsdPerDay: !jobs.costs,
    runningJobs: !jobs.unfinished,
    storedBytes: !hasSums(jobs),
  }
  for (const [name, need] of Object.entries(needs) as [keyof typeof needs, string][])
    if (isMissing[name] && typeof most !== 'function' && mayLimit(name))
      throw new TypeError(`limits: ${name} needs ${need}.`)
  const limitsFor = limitsOf(most, clock)
  const spent = mayLimit('spendUsdPerDay') && jobs.costs ? spending(jobs.costs, clock) : undefined
  const sums = mayLimit('storedBytes') && hasSums(jobs) ? jobs : undefined
  const stored = sums && storage(sums.storedBytes, clock)
  const takePlace = jobs.unfinished && runningPlaces(jobs.unfinished, clock)
  const count = requestCounter ? sharedRequestCount(requestCounter, clock) : ownRequestCount(clock)

  function refuseMissing(own: OwnerLimits): void {
    for (const name of Object.keys(needs) as (keyof typeof needs)[])
      if (isMissing[name] && own[name] !== undefined)
        throw new TypeError(`limits: ${name} needs ${needs[name]}.`)
  }

  return {
    async admit({ owner }) {
      const own = await limitsFor(owner)
      refuseMissing(own)
      const { spendUsdPerDay, storedBytes, runningJobs } = own
      const place =
        runningJobs === undefined ? undefined : await takePlace?.(owner, runningJobs).catch(throwUnavailable)
      try {
        if (spent && spendUsdPerDay !== undefined) await checkSpending(owner, spent, spendUsdPerDay, clock)
        if (stored && storedBytes !== undefined) await checkStorage(owner, stored, storedBytes, clock)
      } catch (refusal) {
        place?.leave?.(false)
        throw refusal
      }
      return place
    },
    wrote(job: Job, before) {
      stored?.saw(job)
      if (hasJustEnded(job, before)) spent?.saw(job)
    },
    fileRooms: sums && stored && fileRooms(sums, limitsFor, stored, clock),
    face: mayLimit('requestsPerMinute') ? { countRequest: requestCount(limitsFor, count) } : {},
  }
}

function hasSums(jobs: JobStore): jobs is JobStore & Required<Pick<JobStore, 'noteUpload' | 'storedBytes'>> {
  return jobs.storedBytes !== undefined && jobs.noteUpload !== undefined
}

function requestCount(limitsFor: LimitsOf, count: ReturnType<typeof ownRequestCount>) {
  return async (owner: string) => {
    const { requestsPerMinute } = await limitsFor(owner)
    return requestsPerMinute === undefined ? undefined : count(owner, requestsPerMinute)
  }
}

/**
 * How long a create waits for a sum from the job store, in milliseconds, so that it fails within 2 seconds when the
 * store hangs. A longer read continues, for the next create.
 */
const readLimitMs = 400
/** Sums of US dollars are not exact, so a sum that is this little below its limit has reached it. */
const roundingUsd = 1e-9

async function checkSpending(owner: string, { of }: Spending, most: number, clock: Clock): Promise<void> {
  const usd = await withinLimit(clock, readLimitMs, 'ledger', () => of(owner)).catch(throwUnavailable)
  if (usd < most - roundingUsd) return
  const message = `Your jobs have cost ${usd.toFixed(2)} US dollars in the last 24 hours; ${most.toFixed(2)} are allowed.`
  throw new GenerationError('insufficient_quota', message)
}

async function checkStorage(owner: string, { of }: Storage, most: number, clock: Clock): Promise<void> {
  const read = () => of(owner, most)
  const bytes = await withinLimit(clock, readLimitMs, 'job store', read).catch(throwUnavailable)
  if (bytes < most) return
  const message = `Your files take ${bytes} bytes; ${most} are allowed. Delete jobs or uploads, or wait until they expire.`
  throw new GenerationError('insufficient_quota', message)
}
