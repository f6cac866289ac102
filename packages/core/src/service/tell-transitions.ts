import type { Job, JobPhase } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { lastUsed } from '../sharing/last-used.ts'

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

/**
 * For how many jobs this process remembers the phase. A process that changes the phase of a job has just read the job.
 */
const maxRemembered = 10_000

/** Wraps a job store so that `tell` is called with each change of a job's phase that is written through it. */
export function tellTransitions(jobs: JobStore, tell: (transition: JobTransition) => void): JobStore {
  const phases = lastUsed<JobPhase>(maxRemembered)

  function entered(job: Job, from?: JobPhase): void {
    phases.set(job.id, job.phase)
    const at = job.updatedAt ?? job.createdAt
    tell({ id: `${job.id}/${job.revision}`, ...(from && { from }), to: job.phase, at, job })
  }

  return {
    ...jobs,
    async get(id, owner) {
      const job = await jobs.get(id, owner)
      if (job) phases.set(id, job.phase)
      return job
    },
    async insert(job, maxUnfinished) {
      const inserted = await jobs.insert(job, maxUnfinished)
      if (inserted.outcome === 'inserted') entered(job)
      return inserted
    },
    async replace(job, expectedRevision) {
      const from = phases.get(job.id)
      const outcome = await jobs.replace(job, expectedRevision)
      if (outcome === 'replaced' && from !== undefined && from !== job.phase) entered(job, from)
      return outcome
    },
  }
}
