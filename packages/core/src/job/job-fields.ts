import type { Job } from '../contracts/job.ts'

/**
 * A copy of the job in which some fields are `undefined`. A rest pattern, which leaves the fields out, takes four times
 * as long and twice the memory, because V8 builds its result field by field.
 * @returns the same job when it has none of these fields
 */
export function without<Name extends keyof Job>(job: Job, ...names: readonly Name[]): Omit<Job, Name> {
  let rest: { [name in keyof Job]?: Job[name] | undefined } | undefined
  for (const name of names) {
    if (job[name] === undefined) continue
    rest ??= { ...job }
    rest[name] = undefined
  }
  return (rest as Job | undefined) ?? job
}

/** The job after its claim, of which only the token stays, and without what matters only until the next claim. */
export function released(job: Job): Job {
  const open = without(job, 'isHinted')
  return open.claim ? { ...open, claim: { token: open.claim.token } } : open
}

/** The job with no step left. */
export function atRest(job: Job): Job {
  return without(released(job), 'dueAt', 'earliestAt')
}

/**
 * The job after a step that has changed nothing. The next step is at `retryAt`.
 * @param isTry whether the step counts as a failed try
 */
export function delayed(job: Job, retryAt: number, isTry = true): Job {
  const attempts = job.attempts + (isTry ? 1 : 0)
  return { ...released(job), attempts, earliestAt: retryAt, dueAt: retryAt }
}

/** Removes the record of failures from the time before the provider knew the task. */
export function withoutFailures(job: Job): Job {
  return without(job, 'unknown', 'setback')
}
