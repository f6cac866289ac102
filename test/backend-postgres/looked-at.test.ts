import { beforeAll, expect, test } from 'vitest'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { growthIn, looksOf, operatorsLooks } from './looked-at.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

test('no call of the Postgres store looks at more rows with 20,000 jobs of one owner than with 1,000', async () => {
  const few = await looksOf(url, newSchema(), 1000)
  const many = await looksOf(url, newSchema(), 20_000)
  expect(growthIn(few, many), JSON.stringify({ few, many })).toEqual([])
  expect(many['a page of costs']?.rows).toBeGreaterThanOrEqual(100)
})

test.each(['completed', 'failed'] as const)(
  'what operators ask the Postgres store for looks at no more rows with 20,000 %s jobs than with 1,000, and at few',
  async (phase) => {
    const few = await operatorsLooks(url, newSchema(), 1000, phase)
    const many = await operatorsLooks(url, newSchema(), 20_000, phase)
    expect(growthIn(few, many), JSON.stringify({ few, many })).toEqual([])
    expect(Math.max(...Object.values(many).map(({ rows }) => rows)), JSON.stringify(many)).toBeLessThan(100)
  },
)
