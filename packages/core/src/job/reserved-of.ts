import type { Job } from '../contracts/job.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import { isFinished } from './job-state.ts'

/**
 * What an unfinished job takes of the budget of its owner, in millionths of a US dollar, for stores that have `spending`: what is
 * reserved for it, or what it has cost once that is known. 0 for a job whose owner has no budget, and for a job that has ended before:
 * its entry of the ledger counts until it ends again.
 */
export function reservedMicroUsdOf(
  job: Pick<Job, 'phase' | 'reservedUsd' | 'isInLedger' | 'isCostKnown' | 'costUsd'>,
): number {
  const { reservedUsd, isInLedger, isCostKnown, costUsd } = job
  if (reservedUsd === undefined || isInLedger || isFinished(job)) return 0
  return microUsdOf(isCostKnown ? costUsd : reservedUsd)
}
