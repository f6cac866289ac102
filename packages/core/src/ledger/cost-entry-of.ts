import type { CostEntry } from '../contracts/storage/cost-entry.ts'
import type { Job } from '../contracts/job.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import { isFinished } from '../job/job-state.ts'

/**
 * The row of the ledger for a finished job.
 * @returns `undefined` for a job that has not finished, and for one that was deleted, whose row stays as it is
 */
export function costEntryOf(job: Job): CostEntry | undefined {
  const { phase, keyId, model, provider, costUsd, reservedUsd, seconds } = job
  const { createdAt, startedAt, completedAt, outputs } = job
  if (job.deletedAt !== undefined || completedAt === undefined) return undefined
  if (phase !== 'completed' && phase !== 'failed') return undefined
  // Jobs of earlier releases do not say whether their cost is known.
  const isCostKnown = job.isCostKnown || costUsd > 0
  return {
    job: job.id,
    owner: job.owner,
    ...(keyId !== undefined && { keyId }),
    model,
    ...(provider !== undefined && { provider }),
    outcome: phase,
    ...(isCostKnown && { costUsd }),
    ...(!isCostKnown && reservedUsd !== undefined && { reservedUsd }),
    outputs: phase === 'completed' ? outputs.length : 0,
    ...(seconds !== undefined && { seconds: phase === 'completed' ? seconds : 0 }),
    createdAt,
    ...(startedAt !== undefined && { startedAt }),
    endedAt: completedAt,
  }
}

/** How many bytes the outputs of a job take in the file store, for stores that have `storedBytes`. */
export function storedBytesOf({ outputs }: Pick<Job, 'outputs'>): number {
  return outputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}

/**
 * What an unfinished job takes of the budget of its owner, in millionths of a US dollar, for stores that have `spending`:
 * what is reserved for it, or what it has cost once that is known. 0 for a job whose owner has no budget, and for a job
 * that has ended before: its entry of the ledger counts until it ends again.
 */
export function reservedMicroUsdOf(
  job: Pick<Job, 'phase' | 'reservedUsd' | 'isInLedger' | 'isCostKnown' | 'costUsd'>,
): number {
  const { reservedUsd, isInLedger, isCostKnown, costUsd } = job
  if (reservedUsd === undefined || isInLedger || isFinished(job)) return 0
  return microUsdOf(isCostKnown ? costUsd : reservedUsd)
}
