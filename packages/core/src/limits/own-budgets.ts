import type { Clock } from '../contracts/clock.ts'
import { months } from './months.ts'
import { dayMs } from '../ledger/usage-counts.ts'
import type { OwnerLimits, SpendingLimits } from './owner-limits.ts'
import { settledUntil, type WholeBudget } from './spending.ts'

/** A budget of an owner or of a key, as it is now. */
export interface OwnBudget extends WholeBudget {
  /** Whose jobs it is about, in words before the amount. */
  readonly what: string
  /** The amount in US dollars. `undefined` for a balance. */
  readonly most: number | undefined
  /** For how long it holds, in words after the amount. */
  readonly span: string
  /** When it begins anew, in milliseconds since the Unix epoch. `undefined` when that is no single instant, or never. */
  readonly until?: number | undefined
}

/** Makes the function that returns the budgets that a job must fit into, for the job store. */
export function ownBudgets(timeZone: string, clock: Clock) {
  const monthOf = months(timeZone)

  function add(budgets: OwnBudget[], limits: SpendingLimits, keyId?: string): void {
    const { spendUsdPerDay: day, spendUsdPerMonth: month } = limits
    const what = keyId === undefined ? 'Your jobs may cost' : 'The jobs of this key may cost'
    if (day !== undefined) {
      const from = settledUntil(clock) - dayMs
      budgets.push({ from, keyId, mostMicroUsd: microUsd(day), what, most: day, span: ' in 24 hours' })
    }
    if (month !== undefined) {
      const { from, until } = monthOf(clock.now())
      const own = { what, most: month, span: ' in a month', until }
      budgets.push({ from, keyId, mostMicroUsd: microUsd(month), ...own })
    }
  }

  return (limits: OwnerLimits, keyId: string | undefined): readonly OwnBudget[] => {
    const budgets: OwnBudget[] = []
    add(budgets, limits)
    if (limits.key && keyId !== undefined) add(budgets, limits.key, keyId)
    if (limits.balance)
      budgets.push({ from: 0, hasGrants: true, mostMicroUsd: 0, what: '', most: undefined, span: '' })
    return budgets
  }
}

/** The limit in millionths of a US dollar. A limit that no sum can reach is the highest one that is exact. */
function microUsd(most: number): number {
  return Math.min(Math.round(most * 1e6), Number.MAX_SAFE_INTEGER)
}

/** Whether these limits are on what a job with this key may cost. */
export function isSpendingLimited(limits: OwnerLimits, keyId: string | undefined): boolean {
  const isLimited = ({ spendUsdPerDay, spendUsdPerMonth }: SpendingLimits) =>
    spendUsdPerDay !== undefined || spendUsdPerMonth !== undefined
  const { balance, key } = limits
  return balance === true || isLimited(limits) || (key !== undefined && keyId !== undefined && isLimited(key))
}
