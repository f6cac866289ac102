import type { Job } from '../contracts/job.ts'
import type { SpendingBudget, SpendingSums } from '../contracts/storage/job-store.ts'
import { reservedMicroUsdOf } from './cost-entry-of.ts'

/** What a job finds in its budgets. */
export interface BudgetRoom {
  /** What is taken of each budget without the job, as in `OverBudget`. */
  readonly takenMicroUsd: readonly number[]
  /** Whether the job fits into all of them. */
  readonly isLeft: boolean
}

/** What is taken of a budget, in millionths of a US dollar. */
export function takenOf({ spentMicroUsd, reservedMicroUsd, grantedMicroUsd }: SpendingSums): number {
  return spentMicroUsd + reservedMicroUsd - grantedMicroUsd
}

/** Whether an amount fits into all of these budgets. @param takenMicroUsd as in `OverBudget` */
export function fitsInto(
  budgets: readonly SpendingBudget[],
  takenMicroUsd: readonly number[],
  microUsd: number,
): boolean {
  return budgets.every(({ mostMicroUsd }, at) => takenMicroUsd[at]! + microUsd <= mostMicroUsd)
}

/**
 * Decides whether a job fits into its budgets, for stores that have `spending`.
 * @param sums the sums by each budget, in the same order
 * @param ownMicroUsd what the sums contain of the stored job. @default 0: the job is new
 */
export function budgetRoom(
  budgets: readonly SpendingBudget[],
  sums: readonly SpendingSums[],
  job: Job,
  ownMicroUsd = 0,
): BudgetRoom {
  const takenMicroUsd = sums.map((each) => takenOf(each) - ownMicroUsd)
  return { takenMicroUsd, isLeft: fitsInto(budgets, takenMicroUsd, reservedMicroUsdOf(job)) }
}
