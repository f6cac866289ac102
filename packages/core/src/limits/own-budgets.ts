import type { Clock } from '../contracts/clock.ts'
import { months } from './months.ts'
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

const dayMs = 24 * 60 * 60_000

/** Makes the function that returns the budgets that a job must fit into, for the job store. */
export function ownBudgets(timeZone: string, clock: Clock) {
  const monthOf = months(timeZone)

  function* budgetsIn({ spendUsdPerDay: day, spendUsdPerMonth: month }: SpendingLimits, keyId?: string) {
    const what = keyId === undefined ? 'Your jobs may cost' : 'The jobs of this key may cost'
    const ofKey = keyId === undefined ? {} : { keyId }
    if (day !== undefined)
      yield { ...ofKey, ...amount(day), what, span: ' in 24 hours', from: settledUntil(clock) - dayMs }
    if (month !== undefined)
      yield { ...ofKey, ...amount(month), what, span: ' in a month', ...monthOf(clock.now()) }
  }

  return ({ balance, key, ...own }: OwnerLimits, keyId: string | undefined): readonly OwnBudget[] => [
    ...budgetsIn(own),
    ...(key && keyId !== undefined ? budgetsIn(key, keyId) : []),
    ...(balance
      ? [{ what: 'Your jobs may cost', span: '', most: undefined, mostMicroUsd: 0, from: 0, hasGrants: true }]
      : []),
  ]
}

/** The limit in millionths of a US dollar. A limit that no sum can reach is the highest one that is exact. */
function amount(most: number): { readonly most: number; readonly mostMicroUsd: number } {
  return { most, mostMicroUsd: Math.min(Math.round(most * 1e6), Number.MAX_SAFE_INTEGER) }
}

/** Whether these limits are on what a job with this key may cost. */
export function isSpendingLimited(limits: OwnerLimits, keyId: string | undefined): boolean {
  const isLimited = ({ spendUsdPerDay, spendUsdPerMonth }: SpendingLimits) =>
    spendUsdPerDay !== undefined || spendUsdPerMonth !== undefined
  const { balance, key } = limits
  return balance === true || isLimited(limits) || (key !== undefined && keyId !== undefined && isLimited(key))
}
