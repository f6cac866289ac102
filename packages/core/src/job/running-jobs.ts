import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isFinished } from './job-machine.ts'

/**
 * Counts the unfinished jobs of each owner that this process has accepted or looked at. A restarted process counts what it
 * takes up again. Processes that share a store count for themselves.
 */
export interface RunningJobs {
  /**
   * Keeps a place for a job that may be accepted.
   * @returns a function that gives the place back, once the job is counted or there is none
   * @throws GenerationError `too_many_running_jobs`
   */
  reserve(owner: string): () => void
  /** Counts the job from now on, or no longer if it has finished. */
  saw(job: Job): void
}

export function runningJobs(clock: Clock, maxPerOwner: number): RunningJobs {
  /** The deadlines of each owner's jobs by their ids, and reserved places by themselves. */
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

  /** Another process may have ended a job, but none goes on for long after its deadline. */
  function forgetLate(owner: string): void {
    const now = clock.now()
    for (const [place, until] of placesOf.get(owner) ?? []) if (until <= now) giveBack(owner, place)
  }

  const isFull = (owner: string) => (placesOf.get(owner)?.size ?? 0) >= maxPerOwner

  return {
    reserve(owner) {
      if (isFull(owner)) forgetLate(owner)
      if (isFull(owner)) {
        const message = `Only ${maxPerOwner} of your jobs can be under way at a time. Try again when one has finished.`
        throw new GenerationError('too_many_running_jobs', message)
      }
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
