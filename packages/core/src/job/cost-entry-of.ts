import type { CostEntry } from '../contracts/cost-entry.ts'
import type { Job } from '../contracts/job.ts'

/**
 * The row of the ledger for a finished job.
 * @returns `undefined` for a job that has not finished, and for one that was deleted, whose row stays as it is
 */
export function costEntryOf(job: Job): CostEntry | undefined {
  const { phase, model, provider, costUsd, reservedUsd, createdAt, startedAt, completedAt, outputs } = job
  if (job.deletedAt !== undefined || completedAt === undefined) return undefined
  if (phase !== 'completed' && phase !== 'failed') return undefined
  // Jobs of earlier releases do not say whether their cost is known.
  const isCostKnown = job.isCostKnown || costUsd > 0
  return {
    job: job.id,
    owner: job.owner,
    model,
    ...(provider !== undefined && { provider }),
    outcome: phase,
    ...(isCostKnown && { costUsd }),
    ...(!isCostKnown && reservedUsd !== undefined && { reservedUsd }),
    outputs: phase === 'completed' ? outputs.length : 0,
    createdAt,
    ...(startedAt !== undefined && { startedAt }),
    endedAt: completedAt,
  }
}

/** How many bytes the outputs of a job take in the file store, for stores that have `storedBytes`. */
export function storedBytesOf({ outputs }: Pick<Job, 'outputs'>): number {
  return outputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}
