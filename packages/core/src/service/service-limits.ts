import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { OwnerLimits } from '../limits/owner-limits.ts'
import type { RunningPlace } from '../limits/running-places.ts'
import type { UploadRooms } from '../limits/upload-room.ts'
import type { GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import type { OptionalParts } from './optional-parts.ts'

/** The limits of owners as the parts of a service use them. */
export interface ServiceLimits {
  /** Checks what the owner of a new job has used up: see `Limiter`. Absent when no owner has such a limit. */
  readonly admit?: ((owner: string) => Promise<void>) | undefined
  /** Reserves a place for a create: see `Limiter`. Absent when no owner has such a limit. */
  readonly takePlace?: ((owner: string) => Promise<RunningPlace | undefined>) | undefined
  /** Counts a request. Absent when requests are not limited. */
  readonly countRequest?: GenerationService['countRequest']
  /** Absent when uploads do not count in a limit of their owner. */
  readonly uploadRooms?: (() => Promise<UploadRooms | undefined>) | undefined
  /** The job store, through which the limits see what this process writes. */
  readonly jobs: JobStore
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
 * Makes the limits that the option `limits` asks for.
 * @throws TypeError when the job store lacks the method that a limit needs
 */
export function serviceLimits(
  {
    limits,
    requestCounter,
    uploads,
  }: Pick<GenerationServiceOptions, 'limits' | 'requestCounter' | 'uploads'>,
  { jobs, clock, parts }: { readonly jobs: JobStore; readonly clock: Clock; readonly parts: OptionalParts },
): ServiceLimits {
  if (!limits) return { jobs, ended() {} }
  const mayLimit = (name: keyof OwnerLimits) => typeof limits === 'function' || limits[name] !== undefined

  /**
   * The method of the job store that a limit needs. If `limits` is a function, a missing method is an error only when
   * it is needed.
   * @returns `undefined` when no owner has the limit
   */
  function callFor<Call>(
    limit: keyof OwnerLimits & keyof typeof needs,
    call: Call | undefined,
    need = needs[limit],
  ): Call | (() => Promise<never>) | undefined {
    if (!mayLimit(limit)) return undefined
    if (call) return call
    const lack = new TypeError(`createGenerationService: limits.${limit} needs ${need}.`)
    if (typeof limits !== 'function') throw lack
    return () => Promise.reject(lack)
  }

  const calls = {
    costs: callFor('spendUsdPerDay', jobs.costs),
    storedBytes: callFor('storedBytes', jobs.storedBytes),
    noteUpload: uploads && callFor('storedBytes', jobs.noteUpload, needs.uploads),
    unfinished: callFor('runningJobs', jobs.unfinished),
  }
  const whenLoaded = parts.load('limits', ({ limiter }) => limiter({ limits, requestCounter, calls, clock }))
  const hasSums = calls.costs ?? calls.storedBytes

  return {
    admit: hasSums && ((owner) => whenLoaded(({ admit }) => admit(owner))),
    takePlace: calls.unfinished && ((owner) => whenLoaded(({ takePlace }) => takePlace(owner))),
    countRequest: mayLimit('requestsPerMinute')
      ? (owner) => whenLoaded(({ countRequest }) => countRequest(owner))
      : undefined,
    uploadRooms: calls.noteUpload && (async () => whenLoaded(({ uploadRooms }) => uploadRooms)),
    jobs: calls.storedBytes
      ? {
          ...jobs,
          async replace(job, expectedRevision) {
            const outcome = await jobs.replace(job, expectedRevision)
            if (outcome === 'replaced') void whenLoaded(({ wrote }) => wrote(job))
            return outcome
          },
        }
      : jobs,
    ended: (job) => void whenLoaded(({ ended }) => ended(job)),
  }
}
