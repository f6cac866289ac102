import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { NewJob, PluginHooks, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { accepts, optional, text } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { GenerationError, throwUnavailable } from '../errors/generation-error.ts'
import { hasJustEnded } from '../job/job-state.ts'
import { isAmount } from '../pricing/price.ts'
import { fileRooms } from './file-rooms.ts'
import { type LimitsOf, limitsOf } from './limits-of.ts'
import { limitsMethods, type LimitsMethods } from './limits-methods.ts'
import { isTimeZone } from './months.ts'
import { checkLimits, type Limits, type OwnerLimits, type SpendingLimits } from './owner-limits.ts'
import { readInTime } from './read-in-time.ts'
import { ownRequestCount, sharedRequestCount } from './request-count.ts'
import { checkRequestCounter, type RequestCounter } from './request-counter.ts'
import { freePlaces, runningPlaces } from './running-places.ts'
import { spending } from './spending.ts'
import { type ReservedUsd, spendingLimit } from './spending-limit.ts'
import { type Storage, storage } from './storage.ts'

/** The further options of {@link limits}. */
export interface LimitsOptions {
  /**
   * Counts requests for `requestsPerMinute` in a place that all processes share, such as Redis.
   * @default each process counts the requests that it gets
   */
  readonly requestCounter?: RequestCounter | undefined
  /**
   * What to reserve for a job of each of these models under a limit on spending, in US dollars for the whole job, by the id of
   * the model: the most that a job can cost, by whichever route. For models without a price that is known beforehand.
   * @example { 'upscale-by-megapixel': 0.5 }
   * @default the price of the model for the input of the job
   */
  readonly reserveUsd?: ReservedUsd | undefined
  /** The time zone of the months of `spendUsdPerMonth`: a name of the IANA database, such as `Europe/Berlin`. @default 'UTC' */
  readonly timeZone?: string | undefined
}

const checkReserved = accepts<ReservedUsd>(
  'an object with US dollars of at least 0 by the ids of models',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isAmount),
)

const table = {
  requestCounter: optional(checkRequestCounter),
  reserveUsd: optional(checkReserved),
  timeZone: optional(text('the name of a time zone, such as Europe/Berlin', isTimeZone), 'UTC'),
} satisfies OptionTable<LimitsOptions>

/**
 * Limits how much each owner may use: the same limits for everybody, or a function of the owner. The function is called at
 * most once in 10 seconds for each owner and may take 10 seconds. When it fails, the owner's request fails.
 * @throws TypeError when a limit is wrong, or the job store lacks what a limit needs. If the limits come from a function, the
 *   latter is an error only when an owner has the limit
 * @example createGenerationService({ providers, plugins: [limits({ spendUsdPerDay: 10, runningJobs: 20 })] })
 */
export function limits(most: Limits, options: LimitsOptions = {}): ServicePlugin<LimitsMethods> {
  const checked = checkLimits('limits', most)
  const checkedOptions = checkOptions('limits', options, table)
  return { name: 'limits', attach: (host) => limitHooks(checked, checkedOptions, host) }
}

const ledger = 'a backend with a ledger: the job store must have dailyUsage() and spending()'

/** What each limit needs of the job store. */
const needs = {
  spendUsdPerDay: ledger,
  spendUsdPerMonth: ledger,
  key: ledger,
  balance:
    'a backend that keeps grants: the job store must have dailyUsage(), spending(), grant() and grants()',
  runningJobs: 'a job store with unfinished()',
  storedBytes: 'a job store with storedBytes() and noteUpload()',
}

function limitHooks(
  most: Limits,
  { requestCounter, reserveUsd = {}, timeZone = 'UTC' }: LimitsOptions,
  host: PluginHost,
): PluginHooks<LimitsMethods> {
  const { jobs, clock } = host
  const mayLimit = (name: keyof OwnerLimits) => typeof most === 'function' || isSet(most, name)
  const isMissing = {
    spendUsdPerDay: !hasBudgets(jobs),
    spendUsdPerMonth: !hasBudgets(jobs),
    key: !hasBudgets(jobs),
    balance: !hasBudgets(jobs) || !jobs.grant || !jobs.grants,
    runningJobs: !jobs.unfinished,
    storedBytes: !hasSums(jobs),
  }
  for (const [name, need] of Object.entries(needs) as [keyof typeof needs, string][])
    if (isMissing[name] && typeof most !== 'function' && mayLimit(name))
      throw new TypeError(`limits: ${name} needs ${need}.`)
  const limitsFor = limitsOf(most, clock)
  for (const id of Object.keys(reserveUsd))
    if (!host.modelOf(id))
      throw new TypeError(`limits: reserveUsd names ${JSON.stringify(id)}, which is no model.`)
  const mayLimitSpending = (['spendUsdPerDay', 'spendUsdPerMonth', 'key', 'balance'] as const).some(mayLimit)
  const spends = hasBudgets(jobs)
    ? spendingLimit({ ...host, spending: spending(jobs, clock), limitsFor, reserveUsd, timeZone })
    : undefined
  const sums = mayLimit('storedBytes') && hasSums(jobs) ? jobs : undefined
  const stored = sums && storage(sums.storedBytes, clock)
  const takePlace = jobs.unfinished && runningPlaces(jobs.unfinished, clock)
  const lookForPlace = jobs.unfinished && freePlaces(jobs.unfinished, clock)
  const count = requestCounter ? sharedRequestCount(requestCounter, clock) : ownRequestCount(clock)

  function refuseMissing(own: OwnerLimits): void {
    for (const name of Object.keys(needs) as (keyof typeof needs)[])
      if (isMissing[name] && isSet(own, name)) throw new TypeError(`limits: ${name} needs ${needs[name]}.`)
  }

  return {
    async admit(job) {
      const { owner, keyId, isDryRun } = job
      const configured = await limitsFor(owner, keyId)
      refuseMissing(configured)
      // Without a ledger nothing is reserved, and the service refuses a request with a limit of its own.
      const own = withRequestLimit(configured, job)
      const { storedBytes, runningJobs } = own
      const take = isDryRun ? lookForPlace : takePlace
      const place =
        runningJobs === undefined ? undefined : await take?.(owner, runningJobs).catch(throwUnavailable)
      try {
        const reading = spends?.roomFor(job, own)
        const room = reading instanceof Promise ? await reading : reading
        if (room && !room.isLeft) throw room.reservation.refusal(room.takenMicroUsd)
        if (stored && storedBytes !== undefined) await checkStorage(owner, stored, storedBytes, clock)
        if (!room) return place
        const { reservation, takenMicroUsd } = room
        return { ...place, reservation, remainingUsd: reservation.leftUsd(takenMicroUsd) }
      } catch (refusal) {
        place?.leave?.(false)
        throw refusal
      }
    },
    reserve: spends?.reserve,
    started: spends && mayLimitSpending ? () => spends.started(typeof most !== 'function') : undefined,
    wrote(job: Job, before) {
      stored?.saw(job)
      if (hasJustEnded(job, before)) spends?.ended(job)
    },
    methods: limitsMethods(host, limitsFor),
    fileRooms: sums && stored && fileRooms(sums, limitsFor, stored, clock),
    face: mayLimit('requestsPerMinute') ? { countRequest: requestCount(limitsFor, count) } : {},
  }
}

/**
 * The limits of an owner, lowered by the limit that the request itself sets: for the jobs of its key, or for all jobs of the
 * owner where the key has no id.
 */
function withRequestLimit(own: OwnerLimits, { keyId, spendUsdPerDay: most }: NewJob): OwnerLimits {
  if (most === undefined) return own
  const lowered = ({ spendUsdPerDay }: SpendingLimits) => Math.min(spendUsdPerDay ?? most, most)
  if (keyId === undefined) return { ...own, spendUsdPerDay: lowered(own) }
  return { ...own, key: { ...own.key, spendUsdPerDay: lowered(own.key ?? {}) } }
}

/** Whether there is such a limit. A balance may also be `false`. */
function isSet(own: OwnerLimits, name: keyof OwnerLimits): boolean {
  return own[name] !== undefined && own[name] !== false
}

function hasSums(jobs: JobStore): jobs is JobStore & Required<Pick<JobStore, 'noteUpload' | 'storedBytes'>> {
  return jobs.storedBytes !== undefined && jobs.noteUpload !== undefined
}

function hasBudgets(jobs: JobStore): jobs is JobStore & Required<Pick<JobStore, 'dailyUsage' | 'spending'>> {
  return jobs.dailyUsage !== undefined && jobs.spending !== undefined
}

function requestCount(limitsFor: LimitsOf, count: ReturnType<typeof ownRequestCount>) {
  return async (owner: string) => {
    const { requestsPerMinute } = await limitsFor(owner)
    return requestsPerMinute === undefined ? undefined : count(owner, requestsPerMinute)
  }
}

async function checkStorage(owner: string, { of }: Storage, most: number, clock: Clock): Promise<void> {
  const bytes = await readInTime(clock, 'job store', () => of(owner, most))
  if (bytes < most) return
  const message = `Your files take ${bytes} bytes; ${most} are allowed. Delete jobs or uploads, or wait until they expire.`
  throw new GenerationError('insufficient_quota', message)
}
