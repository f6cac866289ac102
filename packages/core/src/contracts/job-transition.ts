import type { Job, JobPhase } from './job.ts'

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
