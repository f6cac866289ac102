import type { Clock } from '../contracts/clock.ts'
import type { CostEntry } from '../contracts/cost-entry.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { costEntryOf } from '../job/cost-entry-of.ts'
import { lastUsed } from '../sharing/last-used.ts'

/** Knows what the jobs of each owner have cost in the last 24 hours, by the ledger that all processes share. */
export interface Spending {
  /** @returns US dollars. Rejects when the ledger can't be read */
  of(owner: string): Promise<number>
  /** Counts a job that has ended in this process, until the ledger is read again. */
  saw(job: Job): void
}

const dayMs = 24 * 60 * 60_000
/** The time span whose costs are added up in one figure, in milliseconds. A day of an owner takes 145 figures. */
const spanMs = 10 * 60_000
/** How long after the end of a job its entry may appear in the ledger, in milliseconds: a write takes 10 seconds at most. */
const longestWriteMs = 60_000
/** How long a result of a read is reused, in milliseconds. */
const freshMs = 2000
/** How many entries are read at a time. */
const pageSize = 1000
/** The most owners whose figures are kept in memory. */
const maxOwners = 1000

/** What is known about one owner. */
interface Account {
  /** The cost of each span in US dollars, by the instant at which the span begins. */
  readonly usdOf: Map<number, number>
  /** Spans before this instant have been read and will not change. */
  settledUntil: number
  /** When the latest read began, in milliseconds of uptime. */
  readAt: number
  /** The read that is under way. */
  reading?: Promise<void> | undefined
  /** The jobs that have ended in this process during that read, because the read may have missed them. */
  endedMeanwhile: CostEntry[]
}

/** Makes the accounts of one service. @param costs reads the ledger */
export function spending(costs: NonNullable<JobStore['costs']>, clock: Clock): Spending {
  const accounts = lastUsed<Account>(maxOwners)

  async function read(owner: string, account: Account): Promise<void> {
    const now = clock.now()
    const uptime = clock.uptime()
    const dayBegins = spanOf(now - dayMs)
    // The clock was set back. Entries that other processes wrote meanwhile may lie in spans that count as read.
    if (account.settledUntil > now) account.settledUntil = 0
    const from = Math.max(dayBegins, account.settledUntil)
    account.endedMeanwhile = []
    const entries: CostEntry[] = []
    for (let page: readonly CostEntry[] | undefined; !page || page.length === pageSize;) {
      const after = page?.at(-1)
      // A clock that was set back leaves entries in the future. They count too.
      page = await costs({ owner, from, to: now + dayMs, after, limit: pageSize })
      entries.push(...page)
    }
    const listed = new Set(entries.map(({ job }) => job))
    for (const span of account.usdOf.keys()) if (span < dayBegins || span >= from) account.usdOf.delete(span)
    for (const entry of entries) add(account, entry)
    for (const entry of account.endedMeanwhile) if (!listed.has(entry.job)) add(account, entry)
    account.settledUntil = spanOf(now - longestWriteMs)
    account.readAt = uptime
  }

  return {
    async of(owner) {
      let account = accounts.get(owner)
      if (!account) {
        account = { usdOf: new Map(), settledUntil: 0, readAt: Number.NEGATIVE_INFINITY, endedMeanwhile: [] }
        accounts.set(owner, account)
      }
      const current = account
      if (clock.uptime() - current.readAt >= freshMs)
        await (current.reading ??= read(owner, current).finally(() => (current.reading = undefined)))
      let usd = 0
      for (const part of current.usdOf.values()) usd += part
      return usd
    },

    saw(job) {
      const account = accounts.peek(job.owner)
      const entry = account && costEntryOf(job)
      if (!entry) return
      add(account, entry)
      if (account.reading) account.endedMeanwhile.push(entry)
    },
  }
}

function add({ usdOf }: Account, { endedAt, costUsd = 0 }: CostEntry): void {
  const span = spanOf(endedAt)
  if (costUsd !== 0) usdOf.set(span, (usdOf.get(span) ?? 0) + costUsd)
}

function spanOf(at: number): number {
  return at - (at % spanMs)
}
