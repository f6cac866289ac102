import type { Job, JobInputs } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { lastUsed } from '../lists/last-used.ts'
import { frozen, lengthOf } from '../text/json-values.ts'

/** The limit for what is kept in memory: the total length of the JSON, in characters. */
const maxLength = 64 * 2 ** 20
/** Shorter inputs are read again, because that costs no more than to look them up. */
const longInputs = 2000

/**
 * Wraps a job store so that the inputs of the jobs that were used last are not read again. An input may have megabytes, and
 * the provider gets it with each poll. It never changes after the insert, so it can be kept without any check.
 */
export function rememberInputs(jobs: JobStore): JobStore {
  const recentInputs = lastUsed<JobInputs>(maxLength)

  function keep({ id, input, shownInput }: Job): void {
    const before = recentInputs.peek(id)
    if (before && before.input === input && before.shownInput === shownInput) return
    const size = lengthOf(shownInput) + (input === shownInput ? 0 : lengthOf(input))
    if (size < longInputs) return void recentInputs.delete(id)
    // Frozen, because later reads return the same objects.
    recentInputs.set(id, { shownInput: frozen(shownInput), ...(input && { input: frozen(input) }) }, { size })
  }

  return {
    ...jobs,
    async insert(job, ...limits) {
      const inserted = await jobs.insert(job, ...limits)
      if (inserted.outcome === 'inserted') keep(job)
      return inserted
    },
    async get(id, owner) {
      const job = await jobs.get(id, owner, recentInputs.get(id))
      if (job) keep(job)
      return job
    },
    async delete(id, expectedRevision) {
      await jobs.delete(id, expectedRevision)
      recentInputs.delete(id)
    },
  }
}
