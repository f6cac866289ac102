import {
  dayMs,
  instantText,
  type JobStore,
  monthBegin,
  type PluginHost,
  type PluginRoute,
  readQuery,
  refuseParameter,
} from '@genmount/core'
import type { OwnerLimits, SpendingLimits } from '@genmount/core/limits'
import { needed, serviceOf, startUnlessClosing } from '../plugin/service-of.ts'
import { ownerParameter } from '../wire/read-query.ts'

const never = Number.MAX_SAFE_INTEGER

/**
 * `GET /v1/operator/budgets?owner=`: what an owner has spent, reserved and been granted, and the limits on that. The limit of a day
 * is one of any 24 hours, so it is compared with those.
 */
export function budgetsRoute(host: PluginHost): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/operator/budgets',
    async answer({ query }) {
      startUnlessClosing(host)
      const { owner = refuseParameter('owner', 'is required') } = readQuery(query, { owner: ownerParameter })
      const sums = sumsOf(host.jobs, owner)
      const now = host.clock.now()
      const dayFrom = now - (now % dayMs)
      const monthFrom = monthBegin(now)
      const spanFrom = Math.max(0, now - dayMs)
      const [span, today, month, ever, open, limits] = await Promise.all([
        sums.since(spanFrom),
        sums.since(dayFrom),
        sums.since(monthFrom),
        sums.since(0),
        sums.open(),
        serviceOf(host).limitsOf?.(owner),
      ])
      const left = open.granted - ever.spent - ever.reserved - open.reserved
      return {
        json: {
          object: 'operator_budgets',
          owner,
          as_of: instantText(now),
          reserved_usd: open.reserved / 1e6,
          last_24_hours: spendObject(spanFrom, span),
          today: spendObject(dayFrom, today),
          month: spendObject(monthFrom, month),
          granted_usd: open.granted / 1e6,
          balance_usd: left / 1e6,
          limits: limits ? shownLimits(limits) : null,
        },
      }
    },
  }
}

/** Amounts in whole millionths of a US dollar. */
interface Amounts {
  readonly spent: number
  readonly reserved: number
}

function sumsOf({ dailyUsage, spending }: JobStore, owner: string) {
  const usage = needed(dailyUsage, 'The job store does not add up its ledger')
  const reading = needed(spending, 'The job store does not add up what is reserved')
  return {
    /** What jobs have cost that have ended since an instant, and what those with an unknown cost count. */
    async since(from: number): Promise<Amounts> {
      const [sums] = await usage({ owner, from, to: never, groupBy: [], limit: 1 })
      return { spent: sums?.spentMicroUsd ?? 0, reserved: sums?.reservedMicroUsd ?? 0 }
    },
    /** What is reserved for unfinished jobs, and what was granted. */
    async open() {
      const [sums] = await reading(owner, [{ from: never, costsFrom: never, hasGrants: true }])
      return { reserved: sums?.reservedMicroUsd ?? 0, granted: sums?.grantedMicroUsd ?? 0 }
    },
  }
}

function spendObject(from: number, { spent, reserved }: Amounts) {
  return { from: instantText(from), spent_usd: spent / 1e6, reserved_usd: reserved / 1e6 }
}

function shownLimits(limits: OwnerLimits) {
  return {
    ...shownSpending(limits),
    key: limits.key ? shownSpending(limits.key) : null,
    has_balance: limits.balance === true,
    running_jobs: limits.runningJobs ?? null,
    requests_per_minute: limits.requestsPerMinute ?? null,
    stored_bytes: limits.storedBytes ?? null,
  }
}

function shownSpending({ spendUsdPerDay, spendUsdPerMonth }: SpendingLimits) {
  return { usd_per_day: spendUsdPerDay ?? null, usd_per_month: spendUsdPerMonth ?? null }
}
