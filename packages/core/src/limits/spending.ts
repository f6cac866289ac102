import type { Clock } from '../contracts/clock.ts'
import type { JobStore, SpendingBudget } from '../contracts/storage/job-store.ts'
import { fitsInto, takenOf } from '../ledger/budget-room.ts'
import { lastUsed } from '../lists/last-used.ts'

/** A budget, from whose begin on all that is spent counts. */
export type WholeBudget = Omit<SpendingBudget, 'costsFrom'>

/** A budget for the job store, which adds up only what may still change. All amounts are millionths of a US dollar. */
export interface OpenBudget {
  /** The budget for the job store. */
  readonly budget: SpendingBudget
  /** What is spent besides, by jobs that ended so long ago that their cost will not change. */
  readonly settledMicroUsd: number
}

/**
 * Knows what the jobs of each owner have cost. What will not change any more is kept in this process for 5 minutes. The rest is
 * added up by the job store, which all processes share, when a job is inserted.
 */
export interface Spending {
  /**
   * @param keyId the key of the job, of which some of the budgets may be
   * @returns a promise only while the ledger is read. Rejects when that fails
   */
  openBudgets(
    owner: string,
    keyId: string | undefined,
    budgets: readonly WholeBudget[],
  ): readonly OpenBudget[] | Promise<readonly OpenBudget[]>
  /**
   * What is taken of the budgets by now. An answer may be 2 seconds old if `microUsd` fits into each of them, because the insert
   * of the job decides. @returns as in `OverBudget`; a promise only while the store is asked
   */
  taken(
    owner: string,
    keyId: string | undefined,
    budgets: readonly SpendingBudget[],
    microUsd: number,
  ): readonly number[] | Promise<readonly number[]>
}

/**
 * How long the costs of jobs that ended are reused, in milliseconds. All zones of the world begin their months at a multiple of
 * this time.
 */
const spanMs = 5 * 60_000
/** How long after the end of a job its entry may appear in the ledger, in milliseconds: a write takes 10 seconds at most. */
const longestWriteMs = 60_000
/** How long what is taken is reused, in milliseconds. */
const freshMs = 2000
/** The most owners and keys whose figures are kept in memory. */
const maxAccounts = 1000

/** The instant before which the cost of jobs that have ended will not change any more. */
export function settledUntil({ now }: Pick<Clock, 'now'>): number {
  const at = now() - longestWriteMs
  return at - (at % spanMs)
}

/** What is known about one owner, or one key. */
interface Account {
  /** The instant up to which the costs in `settled` are added up. */
  until: number
  /** What has been spent in each budget before that instant, or is being read. */
  settled: Map<string, number | Promise<number>>
  /** What was taken of which budgets, and the uptime at which that was read. */
  taken?: { readonly names: string; readonly microUsd: readonly number[]; readonly at: number } | undefined
  /** The read of what is taken that is under way. */
  asking?: { readonly names: string; readonly answer: Promise<readonly number[]> } | undefined
}

/** Makes the accounts of one service. */
export function spending(jobs: Required<Pick<JobStore, 'dailyUsage' | 'spending'>>, clock: Clock): Spending {
  const accounts = lastUsed<Account>(maxAccounts)

  function accountOf(owner: string, keyId: string | undefined): Account {
    const name = JSON.stringify([owner, keyId])
    const account = accounts.get(name) ?? { until: 0, settled: new Map() }
    accounts.set(name, account)
    return account
  }

  /** Begins to read what has been spent in these budgets before an instant, unless that is known. */
  function settle(owner: string, account: Account, until: number, budgets: readonly WholeBudget[]): void {
    if (account.until !== until) Object.assign(account, { until, settled: new Map() })
    const { settled } = account
    for (const budget of budgets) {
      const name = nameOf(budget)
      if (budget.from >= until || settled.has(name)) continue
      const spent = spentBefore(owner, until, budget)
      settled.set(name, spent)
      spent.then(
        (microUsd) => settled.set(name, microUsd),
        () => settled.delete(name),
      )
    }
  }

  async function spentBefore(owner: string, to: number, { from, keyId }: WholeBudget): Promise<number> {
    const groupBy = keyId === undefined ? [] : (['keyId'] as const)
    const rows = await jobs.dailyUsage({ owner, from, to, groupBy, limit: Number.MAX_SAFE_INTEGER })
    return rows.find((row) => row.keyId === keyId)?.spentMicroUsd ?? 0
  }

  async function ask(
    owner: string,
    account: Account,
    names: string,
    budgets: readonly SpendingBudget[],
  ): Promise<readonly number[]> {
    const sums = await jobs.spending(owner, budgets)
    const microUsd = sums.map(takenOf)
    account.taken = { names, microUsd, at: clock.uptime() }
    return microUsd
  }

  return {
    openBudgets(owner, keyId, budgets) {
      const account = accountOf(owner, keyId)
      const until = settledUntil(clock)
      settle(owner, account, until, budgets)
      const { settled } = account
      const amounts = budgets.map((budget) => settled.get(nameOf(budget)) ?? 0)
      const open = (settledMicroUsd: number, index: number): OpenBudget => {
        const { from, mostMicroUsd, keyId: key, hasGrants } = budgets[index]!
        const costsFrom = Math.max(from, until)
        const most = mostMicroUsd - settledMicroUsd
        return { settledMicroUsd, budget: { from, costsFrom, mostMicroUsd: most, keyId: key, hasGrants } }
      }
      const areRead = amounts.every((amount): amount is number => typeof amount === 'number')
      return areRead ? amounts.map(open) : Promise.all(amounts).then((all) => all.map(open))
    },

    taken(owner, keyId, budgets, microUsd) {
      const account = accountOf(owner, keyId)
      const names = budgets.map((budget) => `${nameOf(budget)} ${budget.costsFrom}`).join()
      const { taken } = account
      const isFresh = taken?.names === names && clock.uptime() - taken.at < freshMs
      if (isFresh && fitsInto(budgets, taken.microUsd, microUsd)) return taken.microUsd
      if (account.asking?.names === names) return account.asking.answer
      const answer = ask(owner, account, names, budgets)
      const asking = { names, answer }
      const forget = () => void (account.asking === asking && (account.asking = undefined))
      account.asking = asking
      answer.then(forget, forget)
      return answer
    },
  }
}

function nameOf({ from, keyId = '' }: WholeBudget): string {
  return `${from} ${keyId}`
}
