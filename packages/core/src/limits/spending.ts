import type { Clock } from '../contracts/clock.ts'
import type { CostEntry } from '../contracts/cost-entry.ts'
import type { JobStore, SpendingBudget } from '../contracts/job-store.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import { lastUsed } from '../sharing/last-used.ts'

/** What the jobs of an owner may cost now. All amounts are millionths of a US dollar. */
export interface OwnerBudget {
  /** The budget for the job store. */
  readonly budget: SpendingBudget
  /** What is spent besides, by jobs that ended so long ago that their cost will not change. */
  readonly settledMicroUsd: number
}

/**
 * Knows what the jobs of each owner have cost in the last 24 hours. What will not change any more is added up once in this
 * process. The rest is added up by the job store, which all processes share, when a job is inserted.
 */
export interface Spending {
  /** @param mostMicroUsd what the owner's jobs may cost in 24 hours. Rejects when the ledger can't be read */
  budgetOf(owner: string, mostMicroUsd: number): Promise<OwnerBudget>
  /**
   * What is taken of the budget by now. An answer may be 2 seconds old if `microUsd` fits into it, because the insert of the
   * job decides. @returns spent and reserved, in millionths of a US dollar
   */
  taken(owner: string, budget: SpendingBudget, microUsd: number): Promise<number>
}

const dayMs = 24 * 60 * 60_000
/** The time span whose costs are added up in one figure, in milliseconds. A day of an owner takes 145 figures. */
const spanMs = 10 * 60_000
/** How long after the end of a job its entry may appear in the ledger, in milliseconds: a write takes 10 seconds at most. */
const longestWriteMs = 60_000
/** How long what is taken is reused, in milliseconds. */
const freshMs = 2000
/** How many entries are read at a time. */
const pageSize = 1000
/** The most owners whose figures are kept in memory. */
const maxOwners = 1000

/** What is known about one owner. */
interface Account {
  /** The cost of each span in millionths of a US dollar, by the instant at which the span begins. */
  readonly microUsdOf: Map<number, number>
  /** Spans before this instant have been read and will not change. */
  settledUntil: number
  /** The read of such spans that is under way. */
  settling?: Promise<void> | undefined
  /** What was taken, and the uptime at which that was read. */
  taken?: { readonly microUsd: number; readonly at: number } | undefined
  /** The read of what is taken that is under way. */
  asking?: Promise<number> | undefined
}

/** Makes the accounts of one service. */
export function spending(jobs: Required<Pick<JobStore, 'costs' | 'spending'>>, clock: Clock): Spending {
  const accounts = lastUsed<Account>(maxOwners)

  function accountOf(owner: string): Account {
    const account = accounts.get(owner) ?? { microUsdOf: new Map(), settledUntil: 0 }
    accounts.set(owner, account)
    return account
  }

  async function settle(owner: string, account: Account, until: number): Promise<void> {
    const dayBegins = spanOf(clock.now() - dayMs)
    const from = Math.max(dayBegins, account.settledUntil)
    const entries: CostEntry[] = []
    for (let page: readonly CostEntry[] | undefined; !page || page.length === pageSize;) {
      const after = page?.at(-1)
      page = await jobs.costs({ owner, from, to: until, after, limit: pageSize })
      entries.push(...page)
    }
    for (const span of account.microUsdOf.keys())
      if (span < dayBegins || span >= from) account.microUsdOf.delete(span)
    for (const { endedAt, costUsd = 0 } of entries) {
      const span = spanOf(endedAt)
      account.microUsdOf.set(span, (account.microUsdOf.get(span) ?? 0) + microUsdOf(costUsd))
    }
    account.settledUntil = until
  }

  async function ask(owner: string, account: Account, budget: SpendingBudget): Promise<number> {
    const { spentMicroUsd, reservedMicroUsd } = await jobs.spending(owner, budget)
    account.taken = { microUsd: spentMicroUsd + reservedMicroUsd, at: clock.uptime() }
    return account.taken.microUsd
  }

  return {
    async budgetOf(owner, mostMicroUsd) {
      const account = accountOf(owner)
      const until = spanOf(clock.now() - longestWriteMs)
      // The clock was set back. Entries that other processes wrote meanwhile may lie in spans that count as read.
      if (account.settledUntil > until) account.settledUntil = 0
      if (account.settledUntil < until)
        await (account.settling ??= settle(owner, account, until).finally(
          () => (account.settling = undefined),
        ))
      const from = spanOf(clock.now() - dayMs)
      let settledMicroUsd = 0
      for (const [span, microUsd] of account.microUsdOf) if (span >= from) settledMicroUsd += microUsd
      const costsFrom = Math.max(from, account.settledUntil)
      return { settledMicroUsd, budget: { mostMicroUsd: mostMicroUsd - settledMicroUsd, from, costsFrom } }
    },

    async taken(owner, budget, microUsd) {
      const account = accountOf(owner)
      const { taken } = account
      const isFresh = taken !== undefined && clock.uptime() - taken.at < freshMs
      if (isFresh && taken.microUsd + microUsd <= budget.mostMicroUsd) return taken.microUsd
      return (account.asking ??= ask(owner, account, budget).finally(() => (account.asking = undefined)))
    },
  }
}

function spanOf(at: number): number {
  return at - (at % spanMs)
}
