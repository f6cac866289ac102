import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import type { SpendingSpan } from '../contracts/job-store.ts'
import { spending } from './spending.ts'

const dayMs = 24 * 3_600_000

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
    costs: async ({ owner, from, to }: CostQuery) =>
      ledger.filter((entry) => entry.owner === owner && entry.endedAt >= from && entry.endedAt < to),
    spending: async (owner: string, { costsFrom }: SpendingSpan) => ({
      spentMicroUsd: sum(ledger.filter((entry) => entry.owner === owner && entry.endedAt >= costsFrom)),
      reservedMicroUsd: 0,
    }),
  }
  const account = spending(store, clock)
  async function spentUsd(): Promise<number> {
    const { budget, settledMicroUsd } = await account.budgetOf('alice', 1e9)
    expect(budget.mostMicroUsd).toBe(1e9 - settledMicroUsd)
    const { spentMicroUsd } = await store.spending('alice', budget)
    return (settledMicroUsd + spentMicroUsd) / 1e6
  }
  const right = clock.now()
  clock.set(right + 3 * dayMs)
  expect(await spentUsd()).toBe(0)
  for (let minute = 0; minute < 60; minute++) spend(right + minute * 60_000)
  clock.set(right)
  await clock.advance(3_600_000)
  expect(await spentUsd()).toBe(60)
})
