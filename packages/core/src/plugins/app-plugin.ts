import type { Job, JobPhase } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { NewJob, ServicePlugin } from '../contracts/service-plugin.ts'
import { hasJustEnded } from '../job/job-state.ts'

/** The app's functions among the options of a service. */
interface AppFunctions {
  readonly admit?: ((create: NewJob) => void | Promise<void>) | undefined
  readonly onJobEnd?: ((job: Job) => void | Promise<void>) | undefined
  readonly onTransition?: ((transition: JobTransition) => void | Promise<void>) | undefined
}

/** The plugin that calls the app's functions. It comes before all others. */
export function appPlugin({ admit, onJobEnd, onTransition }: AppFunctions): ServicePlugin {
  return {
    name: 'app',
    attach: ({ log }) => ({
      // What the app's function returns means nothing.
      admit:
        admit &&
        (async (create) => {
          await admit(create)
        }),
      wrote:
        (onJobEnd ?? onTransition) &&
        ((job, before) => {
          if (onTransition && job.phase !== before?.phase)
            attempt(log, 'onTransition', job, () => onTransition(transitionOf(job, before)))
          if (onJobEnd && hasJustEnded(job, before)) attempt(log, 'onJobEnd', job, () => onJobEnd(job))
        }),
    }),
  }
}

function transitionOf(job: Job, before: Job | undefined): JobTransition {
  const at = job.updatedAt ?? job.createdAt
  return { id: `${job.id}/${job.revision}`, ...(before && { from: before.phase }), to: job.phase, at, job }
}

/** Calls a function of the app. Its error goes to the log. */
function attempt(log: Log, name: string, { id }: Job, call: () => void | Promise<void>): void {
  const run = async () => call()
  run().catch((cause: unknown) => log.error(`${name} has failed for job ${id}.`, { job: id, cause }))
}

/** A job has entered a phase, and the store has recorded this. */
export interface JobTransition {
  /** Different for each transition of each job. */
  readonly id: string
  /** The phase that the job has left. Absent when the job is new. */
  readonly from?: JobPhase
  /** The phase that the job is in. */
  readonly to: JobPhase
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly at: number
  /** The job as it was written. */
  readonly job: Job
}
