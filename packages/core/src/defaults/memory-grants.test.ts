import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { memoryJobStore } from './memory-job-store.ts'

test('a balance counts what was spent by jobs whose entries have left the ledger to make room', async () => {
  const store = memoryJobStore({ maxJobs: 3 })
  const owner = 'alice'
  await store.grant!({ id: 'g', owner, usd: 100, by: 'test', why: 'test', grantedAt: 0 })
  for (let count = 0; count < 10; count++) {
    const job = exampleJob({ id: `job-${count}`, owner, reservedUsd: 3 })
    expect(await store.insert(job)).toEqual({ outcome: 'inserted' })
    // Nobody knows what each second job has cost.
    const cost = count % 2 === 0 ? { costUsd: 2, isCostKnown: true as const } : {}
    const ended = {
      ...job,
      ...cost,
      revision: 2,
      phase: 'completed' as const,
      completedAt: job.createdAt + count,
    }
    const { input: _done, dueAt: _due, earliestAt: _earliest, ...rest } = ended
    expect(await store.replace(rest, 1)).toBe('replaced')
  }
  const [sums] = await store.spending!(owner, [{ from: 0, costsFrom: 0, hasGrants: true }])
  const { spentMicroUsd, reservedMicroUsd, grantedMicroUsd } = sums!
  expect(spentMicroUsd + reservedMicroUsd).toBeLessThan(10e6)
  expect(grantedMicroUsd - spentMicroUsd - reservedMicroUsd).toBe(100e6 - 5 * 2e6 - 5 * 3e6)
})
