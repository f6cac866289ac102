import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { JobPlace } from '../contracts/plugin/service-plugin.ts'
import { tooManyRunning } from '../job/running-jobs.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** The place of a create among the unfinished jobs of its owner. */
interface RunningPlace extends JobPlace {
  readonly leave: (isStored: boolean) => void
  /** The id of the job, once the store may count it. */
  jobId: string | undefined
}

/**
 * Takes a place for a create of an owner who may have `most` unfinished jobs.
 * @throws GenerationError `too_many_running_jobs`; the error of the store
 */
export type TakePlace = (owner: string, most: number) => Promise<JobPlace>

/**
 * How long a create waits for its place, in milliseconds, so that it fails within 2 seconds when the store hangs. It
 * may wait until one count of the store ends, and then for a second count.
 */
const limitMs = 900

/**
 * Looks for a place and takes none, so that a dry run never keeps a job out. It counts the jobs that are stored.
 */
export function freePlaces(unfinished: NonNullable<JobStore['unfinished']>, clock: Clock): TakePlace {
  return async (owner, most) => {
    const running = await withinLimit(clock, limitMs, 'job store', () => unfinished(owner, most))
    if (running.length >= most) throw tooManyRunning(most)
    return { maxUnfinished: most }
  }
}

/** A create that waits for the next count of the store. */
interface Waiting {
  readonly most: number
  hasGone: boolean
  admit(place: RunningPlace): void
  refuse(reason: unknown): void
}

/** The creates of one owner that are under way in this process. */
interface Creates {
  /**
   * The places that creates have taken. A place stays until its create has ended. If the job was stored during a count,
   * the place stays until that count has ended, because the count may have missed the job.
   */
  readonly places: Set<RunningPlace>
  readonly storedMeanwhile: Set<RunningPlace>
  waiting: Waiting[]
  isCounting: boolean
}

/**
 * Adds the unfinished jobs in the store, which all processes share, to the creates that are under way in this process.
 * The store runs one count at a time for each owner. A count serves all creates that began before the count.
 */
export function runningPlaces(unfinished: NonNullable<JobStore['unfinished']>, clock: Clock): TakePlace {
  const createsOf = new Map<string, Creates>()

  function enter(owner: string, creates: Creates, most: number): RunningPlace {
    const { places, storedMeanwhile } = creates
    const place: RunningPlace = {
      maxUnfinished: most,
      jobId: undefined,
      inserts: (jobId) => void (place.jobId = jobId),
      leave(isStored) {
        if (isStored && creates.isCounting) storedMeanwhile.add(place)
        else places.delete(place)
        forgetIdle(owner, creates)
      },
    }
    places.add(place)
    return place
  }

  function forgetIdle(owner: string, { places, isCounting }: Creates): void {
    if (!isCounting && places.size === 0) createsOf.delete(owner)
  }

  async function count(owner: string, creates: Creates): Promise<void> {
    const { places, storedMeanwhile } = creates
    creates.isCounting = true
    while (creates.waiting.length > 0) {
      const served = creates.waiting
      creates.waiting = []
      try {
        const most = served.reduce((sofar, waiting) => Math.max(sofar, waiting.most), 0)
        const taken = new Set<string | RunningPlace>(await unfinished(owner, most))
        for (const place of places) taken.add(place.jobId ?? place)
        for (const waiting of served) {
          if (waiting.hasGone) continue
          if (taken.size >= waiting.most) waiting.refuse(tooManyRunning(waiting.most))
          else {
            const place = enter(owner, creates, waiting.most)
            taken.add(place)
            waiting.admit(place)
          }
        }
      } catch (fault) {
        for (const { refuse } of served) refuse(fault)
      }
      for (const place of storedMeanwhile) places.delete(place)
      storedMeanwhile.clear()
    }
    creates.isCounting = false
    forgetIdle(owner, creates)
  }

  return async (owner, most) => {
    const creates = createsOf.get(owner) ?? {
      places: new Set(),
      storedMeanwhile: new Set(),
      waiting: [],
      isCounting: false,
    }
    createsOf.set(owner, creates)
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<RunningPlace>()
    const waiting: Waiting = { most, hasGone: false, admit, refuse }
    creates.waiting.push(waiting)
    if (!creates.isCounting) void count(owner, creates)
    return withinLimit(clock, limitMs, 'job store', () => promise).catch((fault: unknown) => {
      waiting.hasGone = true
      promise.then(
        (place) => place.leave(false),
        () => {},
      )
      throw fault
    })
  }
}
