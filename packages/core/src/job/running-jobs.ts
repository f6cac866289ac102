import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isFinished } from './job-state.ts'

/**
 * Counts for each owner the unfinished jobs that this process has accepted or read for a step. After a restart, a job
 * counts from its first step on. Each of several processes that share a store has its own count.
 */
export interface RunningJobs {
  /**
   * Reserves a place for a job that may be accepted.
   * @returns a function that gives the place back. Call it after `saw` has counted the job, or when no job was accepted
   * @throws GenerationError `too_many_running_jobs` when the owner has no place left
   */
  reserve(owner: string): () => void
  /** Counts the job from now on; if it has finished, no longer counts it. */
  saw(job: Job): void
}

/** The refusal of a job whose owner already has `most` unfinished jobs, which is the limit. */
export function tooManyRunning(most: number): GenerationError {
  const message = `Only ${most} of your jobs can be under way at a time. Try again when one has finished.`
  return new GenerationError('too_many_running_jobs', message)
}

/** Allows each owner `maxPerOwner` unfinished jobs. */
export function runningJobs(clock: Clock, maxPerOwner: number): RunningJobs {
  const placesOf = new Map<string, Places>()

  function placesFor(owner: string): Places {
    const places = placesOf.get(owner)
    if (places) return places
    const made: Places = { reserved: 0, until: new Map() }
    placesOf.set(owner, made)
    return made
  }

  function forgetUnused(owner: string, { reserved, until }: Places): void {
    if (reserved === 0 && until.size === 0) placesOf.delete(owner)
  }

  /**
   * Stops counting the jobs whose deadline has passed. Another process may have finished them, and no job runs much
   * longer than its deadline.
   */
  function forgetLate({ until }: Places): void {
    const now = clock.now()
    for (const [jobId, deadlineAt] of until) if (deadlineAt <= now) until.delete(jobId)
  }

  const isFull = ({ reserved, until }: Places) => reserved + until.size >= maxPerOwner

  return {
    reserve(owner) {
      const places = placesFor(owner)
      if (isFull(places)) forgetLate(places)
      if (isFull(places)) throw tooManyRunning(maxPerOwner)
      places.reserved++
      return () => {
        places.reserved--
        forgetUnused(owner, places)
      }
    },
    saw(job) {
      const { id, owner, deadlineAt } = job
      if (!isFinished(job)) return void placesFor(owner).until.set(id, deadlineAt)
      const places = placesOf.get(owner)
      if (places?.until.delete(id)) forgetUnused(owner, places)
    },
  }
}

/** The places of one owner that are taken. */
interface Places {
  /** For jobs that may be accepted. */
  reserved: number
  /** For each unfinished job, its deadline, at which its place becomes free. */
  readonly until: Map<string, number>
}
