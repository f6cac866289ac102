import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { benchProviders, benchService } from '../bench/bench-service.ts'
import { exampleInput, owner } from '../bench/workload.ts'
import { logRecordsOf } from '../postgres/log-records.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const lives = 30

test('a job with one poll takes at most 4,096 bytes of the log of Postgres in its life, 0.3 kB for the usage of its day among them, and nearly each update before its end is HOT', async () => {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const { providers } = benchProviders({ pollAfterMs: 1050, maxConcurrentJobs: 100, dedupesSubmits: true })
  let ended = 0
  const service = benchService({
    providers,
    backend: postgresBackend({ pool, schema }),
    onJobEnd: () => void ended++,
  })
  onTestFinished(async () => {
    await service.close()
    await pool.end()
  })
  await service.ready()
  const records = await logRecordsOf(pool, schema, async () => {
    for (let index = 0; index < lives; index++)
      await service.create({ owner, model: 'bench-video', input: exampleInput(index) })
    await expect.poll(() => ended, { timeout: 20_000 }).toBe(lives)
  })
  const hot = records.find(({ kind }) => kind === 'Heap/HOT_UPDATE jobs')?.count
  // Now and then a job finds no room on its page.
  expect(hot, JSON.stringify(records)).toBeGreaterThan(0.9 * lives)
  const bytesOf = (some: typeof records) => some.reduce((sum, each) => sum + each.bytes, 0) / lives
  const usage = records.filter(({ kind }) => kind.includes(' daily_usage'))
  expect(bytesOf(usage), JSON.stringify(usage)).toBeLessThan(300)
  expect(bytesOf(records), JSON.stringify(records)).toBeLessThan(4096)
})
