import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnerLimits } from '@genmount/core/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { type LimitedProcess, startLimitedProcess } from './start-limited-process.ts'

const budgets: Readonly<Record<string, OwnerLimits>> = {
  day: { spendUsdPerDay: 5 },
  month: { spendUsdPerMonth: 5 },
  balance: { balance: true },
  'day-of-a-key': { spendUsdPerDay: 50, key: { spendUsdPerDay: 5 } },
  'month-of-a-key': { spendUsdPerMonth: 50, key: { spendUsdPerMonth: 5 } },
}
const counts = [1, 2, 3]
const ownerOf = (budget: string, count: number) => `${budget}-of-${count}`
const limits = Object.fromEntries(
  Object.entries(budgets).flatMap(([budget, most]) =>
    counts.map((count) => [ownerOf(budget, count), most] as const),
  ),
)

describe.each(['SQLite', 'Postgres'])('of 1,200 creates at once over one %s database', (store) => {
  let folder: string
  const processes: LimitedProcess[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'genmount-limits-'))
    const database = store === 'SQLite' ? join(folder, 'jobs.db') : await databaseOfFile()
    for (const _ of counts)
      processes.push(await startLimitedProcess({ database, limits, folder: join(folder, 'files') }))
  })
  afterAll(async () => {
    await Promise.all(processes.map(({ kill }) => kill()))
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(Object.keys(budgets).flatMap((budget) => counts.map((count) => [budget, count] as const)))(
    'a budget of 5 US dollars (%s) accepts exactly one job of 3, with %i processes',
    async (budget, count) => {
      const owner = ownerOf(budget, count)
      const askedOnes = processes.slice(0, count)
      if (budget === 'balance') expect(await askedOnes[0]!.grant(owner, 5)).toBe('granted')
      const answers = await Promise.all(
        askedOnes.map(({ create }) => create(owner, 600_000, 1200 / count, 'fake-video')),
      )
      const codes = answers.flatMap((answer) => answer.split(' '))
      expect(codes).toHaveLength(1200)
      expect(codes.filter((code) => code.startsWith('gen_'))).toHaveLength(1)
      // A database that is busy for too long refuses a create too, and stores nothing.
      const refusals = codes.filter((code) => !code.startsWith('gen_') && code !== 'store_unavailable')
      expect(new Set(refusals)).toEqual(new Set(['insufficient_quota']))
    },
  )
})
