import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isFinished } from './job-machine.ts'

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
  /**
   * For each owner, until when each place is taken. A job's place has the job's id as its key and ends at the job's
   * deadline; a reserved place has an object as its key and has no end.
   */
  const placesOf = new Map<string, Map<string | object, number>>()

  function take(owner: string, place: string | object, until: number): void {
    const places = placesOf.get(owner)
    if (places) places.set(place, until)
    else placesOf.set(owner, new Map([[place, until]]))
  }

  function giveBack(owner: string, place: string | object): void {
    const places = placesOf.get(owner)
    if (places?.delete(place) && places.size === 0) placesOf.delete(owner)
  }

  /**
   * Stops counting the jobs whose deadline has passed. Another process may have finished them, and no job runs much
   * longer than its deadline.
   */
  function forgetLate(owner: string): void {
    const now = clock.now()
    for (const [place, until] of placesOf.get(owner) ?? []) if (until <= now) giveBack(owner, place)
  }

  const isFull = (owner: string) => (placesOf.get(owner)?.size ?? 0) >= maxPerOwner

  return {
    reserve(owner) {
      if (isFull(owner)) forgetLate(owner)
      if (isFull(owner)) throw tooManyRunning(maxPerOwner)
      const place = {}
      take(owner, place, Number.POSITIVE_INFINITY)
      return () => giveBack(owner, place)
    },
    saw(job) {
      if (isFinished(job)) giveBack(job.owner, job.id)
      else take(job.owner, job.id, job.deadlineAt)
    },
  }
}
