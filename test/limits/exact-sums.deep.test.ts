import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Job, type JobStore, memoryBackend } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { nodeOn } from '../backend-postgres/two-nodes.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const count = 100_000
/** Two prices whose sum is no number of a computer, and one with a part below a millionth. */
const pricesUsd = [0.1, 0.2, 0.000001, 0.30000000000000004]

/** Lets 100,000 jobs end, and expects that their sums are exact to a millionth of a dollar before, between and after. */
async function expectExactSums(jobs: JobStore): Promise<void> {
  const exact = pricesUsd.map((usd) => Math.round(usd * 1e6))
  const sumOf = (from: number, to: number) => {
    let sum = 0
    for (let number = from; number < to; number++) sum += exact[number % exact.length]!
    return sum
  }
  const spending = async () => (await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }]))[0]
  const insert = async (number: number) => {
    const usd = pricesUsd[number % pricesUsd.length]!
    const job = exampleJob({ id: `job-${number}`, reservedUsd: usd })
    await jobs.insert(job)
    return job
  }
  const end = async (job: Job) => {
    const completedAt = job.createdAt + 1
    const cost = { costUsd: job.reservedUsd!, isCostKnown: true } as const
    const { dueAt: _due, ...over } = job
    const ended = { ...over, ...cost, revision: 2, phase: 'completed', completedAt } as const
    await jobs.replace(ended, 1)
  }
  const half = count / 2
  for (let first = 0; first < count; first += 500) {
    const each = Array.from({ length: 500 }, (_, index) => insert(first + index))
    const inserted = await Promise.all(each)
    if (first < half) await Promise.all(inserted.map(end))
  }
  expect(await spending()).toEqual({
    spentMicroUsd: sumOf(0, half),
    reservedMicroUsd: sumOf(half, count),
    grantedMicroUsd: 0,
  })
}

test('what 100,000 jobs have cost and reserved in memory is exact to a millionth of a dollar', async () => {
  await expectExactSums(memoryBackend({ maxJobs: 200_000 }).jobs)
})

test('what 100,000 jobs have cost and reserved in SQLite is exact to a millionth of a dollar', async () => {
  const { jobs, close } = sqliteBackend({ file: join(temporaryFolder(), 'jobs.db') })
  onTestFinished(() => close())
  await expectExactSums(jobs)
})

test('what 100,000 jobs have cost and reserved in Postgres is exact to a millionth of a dollar, also in the sums of days', async () => {
  const { backend, jobs } = nodeOn(await databaseOfFile())
  await backend.ready?.()
  await expectExactSums(jobs)
  expect(
    await jobs.dailyUsage!({ owner: 'alice', from: 0, to: 1e14, groupBy: ['owner'], limit: 10 }),
  ).toMatchObject([{ jobs: 50_000, spentMicroUsd: 12_500 * 600_001 }])
})
