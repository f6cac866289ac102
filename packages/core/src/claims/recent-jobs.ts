import type { Job } from '../contracts/job.ts'
import type { Clock } from '../contracts/clock.ts'
import type { ClockSteps } from '../clock/clock-steps.ts'
import { longestQuietMs } from './claim-ahead.ts'
import { lastUsed } from '../lists/last-used.ts'
import { jsonCopy, lengthOf } from '../text/json-values.ts'

/** The limit for what is kept in memory: the total length of the inputs as JSON, in characters, and of all else. */
const maxLength = 16 * 2 ** 20
/** How many characters count for a job beside its inputs. */
const otherLength = 1000

/**
 * The running jobs that this process has written last, so that it need not read them before their next step. Another process
 * may have written them since: then the step loses the comparison of revisions.
 */
export interface RecentJobs {
  /** Must be called with each job that this process has written. */
  wrote(job: Job): void
  /**
   * The job as this process has written it, and forgets it: a step that finds the stored job changed is the last one without a
   * read.
   * @param isWanted whether to take it. If not, it is kept
   */
  take(id: string, isWanted: (job: Job) => boolean): Job | undefined
}

/** Makes the recent jobs of a service. */
export function recentJobs(clock: Clock, clockSteps: Pick<ClockSteps, 'retimed'>): RecentJobs {
  const jobs = lastUsed<Job>(maxLength)
  return {
    wrote(job) {
      const { id, phase, dueAt = Number.POSITIVE_INFINITY, input, shownInput, handle } = job
      if (phase !== 'running' || dueAt - clock.now() > longestQuietMs) return void jobs.delete(id)
      const size = otherLength + lengthOf(shownInput) + (input === shownInput ? 0 : lengthOf(input))
      // The provider may change the object that it has given.
      jobs.set(id, handle === undefined ? job : { ...job, handle: jsonCopy(handle) ?? null }, { size })
    },
    take(id, isWanted) {
      const written = jobs.get(id)
      const job = written && clockSteps.retimed(written)
      if (!job || !isWanted(job)) return undefined
      jobs.delete(id)
      return job
    },
  }
}
