import { beforeAll, expect, test } from 'vitest'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { growthIn, looksOf } from './looked-at.ts'

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
