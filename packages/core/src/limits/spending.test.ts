import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { CostEntry } from '../contracts/storage/cost-entry.ts'
import type { UsageQuery } from '../contracts/storage/daily-usage.ts'
import type { SpendingSpan } from '../contracts/storage/job-store.ts'
import { settledUntil, spending } from './spending.ts'

const dayMs = 24 * 3_600_000
const nothing = { jobs: 0, failed: 0, outputs: 0, seconds: 0, unknownCosts: 0, reservedMicroUsd: 0 }

test('a process whose clock was days ahead counts, once it is right again, what other processes have spent meanwhile', async () => {
  const clock = manualClock()
  const ledger: CostEntry[] = []
  const spend = (endedAt: number) =>
    ledger.push({
      job: `${ledger.length}`,
      owner: 'alice',
      model: 'm',
      outcome: 'completed',
      costUsd: 1,
      createdAt: endedAt,
      endedAt,
    })
  const sum = (entries: readonly CostEntry[]) => entries.length * 1e6
  const store = {
    dailyUsage: async ({ owner, from, to }: UsageQuery) => {
      const entries = ledger.filter((one) => one.owner === owner && one.endedAt >= from && one.endedAt < to)
      return [{ ...nothing, spentMicroUsd: sum(entries) }]
    },
    spending: async (owner: string, spans: readonly SpendingSpan[]) =>
      spans.map(({ costsFrom }) => ({
        spentMicroUsd: sum(ledger.filter((entry) => entry.owner === owner && entry.endedAt >= costsFrom)),
        reservedMicroUsd: 0,
        grantedMicroUsd: 0,
      })),
  }
  const account = spending(store, clock)
  async function spentUsd(): Promise<number> {
    const day = { from: settledUntil(clock) - dayMs, mostMicroUsd: 1e9 }
    const [open] = await account.openBudgets('alice', undefined, [day])
    const { budget, settledMicroUsd } = open!
    expect(budget.mostMicroUsd).toBe(1e9 - settledMicroUsd)
    const [sums] = await store.spending('alice', [budget])
    return (settledMicroUsd + sums!.spentMicroUsd) / 1e6
  }
  const right = clock.now()
  clock.set(right + 3 * dayMs)
  expect(await spentUsd()).toBe(0)
  for (let minute = 0; minute < 60; minute++) spend(right + minute * 60_000)
  clock.set(right)
  await clock.advance(3_600_000)
  expect(await spentUsd()).toBe(60)
})
