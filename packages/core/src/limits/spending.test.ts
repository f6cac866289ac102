import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { CostEntry } from '../contracts/cost-entry.ts'
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
  const spent = spending(
    async ({ owner, from, to }) =>
      ledger.filter((entry) => entry.owner === owner && entry.endedAt >= from && entry.endedAt < to),
    clock,
  )
  const right = clock.now()
  clock.set(right + 3 * dayMs)
  expect(await spent.of('alice')).toBe(0)
  for (let minute = 0; minute < 60; minute++) spend(right + minute * 60_000)
  clock.set(right)
  await clock.advance(3_600_000)
  expect(await spent.of('alice')).toBe(60)
})
