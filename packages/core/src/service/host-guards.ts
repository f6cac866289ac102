import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { JsonObject } from '../contracts/json.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { throwUnavailable } from '../errors/store-unavailable.ts'
import { limitsOf, type LimitsOf, type OwnerLimits } from '../limits/owner-limits.ts'
import { type CountRequest, ownRequestCount, sharedRequestCount } from '../limits/request-quota.ts'
import { type RunningPlace, runningPlaces, type TakePlace } from '../limits/running-places.ts'
import { type Spending, spending } from '../limits/spending.ts'
import { type Storage, storage } from '../limits/storage.ts'
import { type UploadRooms, uploadRooms } from '../limits/upload-room.ts'
import { inputModerator } from '../moderation/input-moderator.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import type { GenerationService } from './generation-service.ts'
import type { Admission, GenerationServiceOptions } from './generation-service-options.ts'

/** Decides whether a valid job may be stored. Rejects with a `GenerationError` to refuse the job. */
export type AdmissionCheck = (admission: Admission) => Promise<void>

/** The checks that the host's options define for owners and their jobs. */
export interface HostGuards {
  /** Absent when every valid job is admitted. */
  readonly admit: AdmissionCheck | undefined
  /**
   * Reserves a place among the owner's unfinished jobs for a create. It resolves with `undefined` for an owner without
   * a limit. Absent when no owner has a limit.
   * @throws GenerationError `too_many_running_jobs`, `store_unavailable`
   */
  readonly takePlace: ((owner: string) => Promise<RunningPlace | undefined>) | undefined
  /** The job store, through which the guards see what this process writes. */
  readonly jobs: JobStore
  /** Counts a request. Absent when requests are not limited. */
  readonly countRequest: GenerationService['countRequest']
  /** Absent when uploads do not count in a limit of their owner. */
  readonly uploadRooms: UploadRooms | undefined
  /** Called with each job that this process has ended. */
  ended(job: Job): void
}

/** The method of the job store that each limit needs. */
const needs = {
  spendUsdPerDay: 'a backend with a ledger: the job store must have costs()',
  runningJobs: 'a job store with unfinished()',
  storedBytes: 'a job store with storedBytes()',
  uploads: 'a job store with noteUpload(), as the service takes uploads',
}

/**
 * How long the app's `admit` may take, in milliseconds. There is a limit because a call that never settles would block
 * the idempotency key of its request for ever.
 */
const admitLimitMs = 60_000

type HostOptions = Pick<
  GenerationServiceOptions,
  'admit' | 'moderate' | 'limits' | 'requestCounter' | 'uploads'
>

/**
 * Combines the host's guards. The app's `moderate` comes last, because it may cost money.
 * @throws TypeError when the job store lacks the method that a limit needs
 */
export function hostGuards(
  { admit, moderate, limits, requestCounter, uploads }: HostOptions,
  jobs: JobStore,
  clock: Clock,
): HostGuards {
  const checks: AdmissionCheck[] = []
  const limitsFor = limits && limitsOf(limits, clock)
  const mayLimit = (name: keyof OwnerLimits) => typeof limits === 'function' || limits?.[name] !== undefined
  let spent: Spending | undefined
  let stored: Storage | undefined
  let rooms: UploadRooms | undefined

  /**
   * The method of the job store that a limit needs. If `limits` is a function, a missing method is an error only when
   * it is needed.
   */
  function callFor<Call>(
    limit: keyof OwnerLimits & keyof typeof needs,
    call: Call | undefined,
    need = needs[limit],
  ): Call | (() => Promise<never>) {
    if (call) return call
    const lack = new TypeError(`createGenerationService: limits.${limit} needs ${need}.`)
    if (typeof limits !== 'function') throw lack
    return () => Promise.reject(lack)
  }

  if (limitsFor && mayLimit('spendUsdPerDay')) {
    spent = spending(callFor('spendUsdPerDay', jobs.costs), clock)
    checks.push(spendingCheck(limitsFor, spent, clock))
  }
  if (limitsFor && mayLimit('storedBytes')) {
    const storedBytes = callFor('storedBytes', jobs.storedBytes)
    stored = storage(storedBytes, clock)
    checks.push(storageCheck(limitsFor, stored, clock))
    const noteUpload = uploads && callFor('storedBytes', jobs.noteUpload, needs.uploads)
    if (noteUpload) rooms = uploadRooms({ noteUpload, storedBytes }, limitsFor, stored, clock)
  }
  if (admit)
    checks.push(async (admission) => withinLimit(clock, admitLimitMs, 'app’s admit', () => admit(admission)))
  if (moderate?.input) checks.push(inputModerator(moderate.input, clock))

  async function askAll(admission: Admission): Promise<void> {
    // Each check gets its own copy: a change that the app makes to the input would not be validated, so it must be
    // neither moderated nor submitted.
    for (const check of checks) await check({ ...admission, input: jsonCopy(admission.input) as JsonObject })
  }

  return {
    admit: checks.length > 0 ? askAll : undefined,
    takePlace:
      limitsFor && mayLimit('runningJobs')
        ? placeTaker(limitsFor, runningPlaces(callFor('runningJobs', jobs.unfinished), clock))
        : undefined,
    jobs: stored ? watchedStore(jobs, stored) : jobs,
    countRequest:
      limitsFor && mayLimit('requestsPerMinute')
        ? requestCheck(
            limitsFor,
            requestCounter ? sharedRequestCount(requestCounter, clock) : ownRequestCount(clock),
          )
        : undefined,
    uploadRooms: rooms,
    ended: (job) => spent?.saw(job),
  }
}

function requestCheck(limitsFor: LimitsOf, count: CountRequest): GenerationService['countRequest'] {
  return async (owner) => {
    const { requestsPerMinute } = await limitsFor(owner)
    return requestsPerMinute === undefined ? undefined : count(owner, requestsPerMinute)
  }
}

function placeTaker(limitsFor: LimitsOf, takePlace: TakePlace): HostGuards['takePlace'] {
  return async (owner) => {
    const { runningJobs } = await limitsFor(owner)
    return runningJobs === undefined ? undefined : takePlace(owner, runningJobs).catch(throwUnavailable)
  }
}

/** Reports each write to the job store. */
function watchedStore(jobs: JobStore, { saw }: Storage): JobStore {
  return {
    ...jobs,
    async replace(job, expectedRevision) {
      const outcome = await jobs.replace(job, expectedRevision)
      if (outcome === 'replaced') saw(job)
      return outcome
    },
  }
}

/**
 * How long a create waits for a sum from the job store, in milliseconds, so that it fails within 2 seconds when the
 * store hangs. A longer read continues, for the next create.
 */
const readLimitMs = 400
/** Sums of US dollars are not exact, so a sum that is this little below its limit has reached it. */
const roundingUsd = 1e-9

function spendingCheck(limitsFor: LimitsOf, spent: Spending, clock: Clock): AdmissionCheck {
  return async ({ owner }) => {
    const { spendUsdPerDay: most } = await limitsFor(owner)
    if (most === undefined) return
    const usd = await withinLimit(clock, readLimitMs, 'ledger', () => spent.of(owner)).catch(throwUnavailable)
    if (usd < most - roundingUsd) return
    const message = `Your jobs have cost ${usd.toFixed(2)} US dollars in the last 24 hours; ${most.toFixed(2)} are allowed.`
    throw new GenerationError('insufficient_quota', message)
  }
}

function storageCheck(limitsFor: LimitsOf, stored: Storage, clock: Clock): AdmissionCheck {
  return async ({ owner }) => {
    const { storedBytes: most } = await limitsFor(owner)
    if (most === undefined) return
    const read = () => stored.of(owner, most)
    const bytes = await withinLimit(clock, readLimitMs, 'job store', read).catch(throwUnavailable)
    if (bytes < most) return
    const message = `Your files take ${bytes} bytes; ${most} are allowed. Delete jobs or uploads, or wait until they expire.`
    throw new GenerationError('insufficient_quota', message)
  }
}
